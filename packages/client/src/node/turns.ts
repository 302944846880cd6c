/** What changes a folder, one after the other. */
const turns = new Map<string, Promise<unknown>>()

/** Does something once nothing else in this process is at work on the folder. */
export function inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(folder) ?? Promise.resolve()
  const turn = before.then(work)
  const done = turn.then(
    () => {},
    () => {},
  )
  turns.set(folder, done)
  void done.then(() => turns.get(folder) === done && turns.delete(folder))
  return turn
}
