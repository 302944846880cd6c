export const metadata = { name: 'hello', description: 'Says hello' }

export default async function hello(): Promise<string> {
  return 'hello'
}
