explain --why-not 'xx' Base
