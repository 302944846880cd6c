SELECT id, name
FROM customers
WHERE name = '${name}'
