/** What is done to one thing, one after the other. */
const turns = new Map<string, Promise<unknown>>()

/** Does something once nothing else in this process is at work on the same thing. */
export function inTurn<T>(thing: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(thing) ?? Promise.resolve()
  const turn = before.then(work)
  const done = turn.then(
    () => {},
    () => {},
  )
  turns.set(thing, done)
  void done.then(() => turns.get(thing) === done && turns.delete(thing))
  return turn
}
