/** Opens a page of a running Chromium and controls it over the DevTools protocol. */
export async function openPage(debuggingPort: number) {
  const target = (await (
    await fetch(`http://127.0.0.1:${debuggingPort}/json/new?about:blank`, { method: 'PUT' })
  ).json()) as { webSocketDebuggerUrl: string }
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('Chromium does not answer')))
  })
  let last = 0
  const waiting = new Map<number, (answer: Answer) => void>()
  const listeners = new Map<string, (event: never) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Answer & { id?: number; method?: string }
    if (message.id !== undefined) {
      waiting.get(message.id)?.(message)
      waiting.delete(message.id)
    } else listeners.get(message.method ?? '')?.(message.params as never)
  })
  return {
    send: (method: string, params: object = {}) =>
      new Promise<unknown>((resolve, reject) => {
        const id = ++last
        waiting.set(id, ({ result, error }) =>
          error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result),
        )
        socket.send(JSON.stringify({ id, method, params }))
      }),
    on: <Event>(method: string, listener: (event: Event) => void) =>
      void listeners.set(method, listener as never),
    close: () => socket.close(),
  }
}
type Answer = { result?: unknown; error?: { message: string }; params?: unknown }
