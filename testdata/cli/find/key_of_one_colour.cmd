find --key aaf6081e4e1ee6cf,0000000000000000 --same turned+colours -
Base.w.wQbQ
Base.b.wQbQ
# a remark
Base.b.wQbA
