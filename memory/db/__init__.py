"""Reaches the database: the pool, transactions, errors, migrations, leases, and what each table holds."""
