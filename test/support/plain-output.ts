/* What tools print is compared as plain text, whatever the terminal or the CI asks of them. */
delete process.env['FORCE_COLOR']
process.env['NO_COLOR'] = '1'
