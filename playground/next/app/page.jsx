export default function Page() {
  return 'The skills are at /mcp'
}
