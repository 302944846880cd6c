import path from 'node:path'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
  EISDIR: 'this is a folder, not a file',
  ENOTDIR: 'a part of this path is a file, not a folder',
  EEXIST: 'a file stands where a folder is needed',
  ENOENT: 'there is no such file or folder',
}

/**
 * What the operating system refused, with the file, in a line for people. Undefined for any other error: that is a
 * mistake of ours, and its stack is needed.
 */
export function systemReason(error: unknown, cwd: string): string | undefined {
  const { code, syscall, path: from, dest } = error as NodeJS.ErrnoException & { dest?: string }
  if (code === undefined || syscall === undefined) return undefined
  const file = dest ?? from
  if (file === undefined) return (error as Error).message
  // Files are written beside their place first.
  const place = path.relative(cwd, file.replace(/\.\d+\.tmp$/, ''))
  return `${place || '.'}: ${REASONS[code] ?? (error as Error).message}`
}
