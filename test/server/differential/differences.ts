/** What of an answer has to be the same on every server: status, ids, codes and results. */
export interface Answer {
  readonly status: number
  readonly messages: readonly Message[]
}

interface Message {
  readonly id: unknown
  readonly code?: number
  readonly result?: unknown
}

/** One way in which our server differs from the official one on purpose. `why` stands in the docs, word for word. */
export interface Difference {
  readonly why: string
  is(request: { headers: Headers; body: unknown }, ours: Answer, official: Answer): boolean
}

export const DIFFERENCES: readonly Difference[] = [
  {
    why: 'A legacy request is served whichever of JSON and event stream its `Accept` header takes; the SDK answers 406 unless it names both.',
    is: (_, ours, official) => official.status === 406 && ours.status !== 406,
  },
  {
    why: 'A client that takes neither JSON nor an event stream gets 406, whatever else is wrong with the request; the SDK does not look at `Accept` in the modern era, and at other things first in the legacy era.',
    is: ({ headers }, ours) => ours.status === 406 && headers.get('accept') === 'text/html',
  },
  {
    why: 'Members of a message that JSON-RPC does not know are ignored; the SDK refuses the message with -32600.',
    is: ({ body }, _, official) => codeOf(official) === -32600 && some(body, (message) => 'extra' in message),
  },
  {
    why: 'A `_meta` that is no object counts as none; the SDK refuses the message with -32600.',
    is: ({ body }, _, official) =>
      (codeOf(official) === -32600 &&
        some(body, ({ params }) => '_meta' in Object(params) && typeof params._meta !== 'object')) ||
      some(body, ({ params }) => Object(params)._meta === null),
  },
  {
    why: 'A posted response is taken (202) under any version header; the SDK refuses it with 400 under that of the modern era.',
    is: ({ body }, ours, official) =>
      ours.status === 202 && codeOf(official) === -32000 && some(body, (message) => !('method' in message)),
  },
  {
    why: 'Notifications are taken (202) or refused by their version header alone; the SDK holds their envelope and `Mcp-Method` against it too.',
    is: ({ body }, ours, official) =>
      [202, 400].includes(ours.status) &&
      official.status === 400 &&
      some(body, (message) => !('id' in message)),
  },
  {
    why: 'A `cursor` that is none of ours, an empty one included, is -32602 in `resources/list` too, where the SDK ignores it.',
    is: ({ body }, ours) =>
      codesOf(ours).includes(-32602) &&
      some(
        body,
        ({ method, params }) =>
          method === 'resources/list' && ['', 'not a cursor'].includes(Object(params).cursor),
      ),
  },
  {
    why: 'A file is read under any spelling of its URI (`Q%26A.md` for `Q&A.md`); the SDK knows fewer of them.',
    is: ({ body }, ours, official) =>
      codesOf(official).includes(-32602) && some(body, ({ params }) => /%26/.test(Object(params).uri)),
  },
  {
    why: 'Where both the version and the headers of a modern request are wrong, the code may be the other one of -32020 and -32022.',
    is: (_, ours, official) => [codeOf(ours), codeOf(official)].sort().join() === '-32020,-32022',
  },
  {
    why: 'A URI with dot segments names nothing (-32602); the SDK resolves them.',
    is: ({ body }, ours, official) =>
      official.status === 200 &&
      codesOf(ours).includes(-32602) &&
      some(body, ({ params }) => /\/(\.|%2e){2}\//.test(Object(params).uri)),
  },
  {
    why: 'Params of the wrong type are -32602, and those of `initialize` are not looked at but for the version; the SDK answers -32603, with the text of its validator.',
    is: (_, ours, official) =>
      codesOf(official).includes(-32603) && codesOf(ours).every((code) => code !== -32603),
  },
  {
    why: 'An `Mcp-Name` is not looked at where there is no URI that it could name.',
    is: ({ body }, _, official) =>
      codeOf(official) === -32020 &&
      some(body, ({ method, params }) => method === 'resources/read' && !Object(params).uri),
  },
  {
    why: 'An `initialize` with incomplete params is one all the same, and the version header of a batch counts even where it holds nothing else; the SDK takes the first for any other request, and lets the second pass.',
    is: ({ body }) =>
      some(
        body,
        ({ method, params }) =>
          method === 'initialize' &&
          (Array.isArray(body) ||
            !(
              typeof params?.protocolVersion === 'string' &&
              typeof params.capabilities === 'object' &&
              typeof params.clientInfo === 'object'
            )),
      ),
  },
  {
    why: 'An error carries the id of its request wherever that is a string or an integer; the SDK leaves it out for an unsupported version, and sends back fractions.',
    is: (_, ours, official) =>
      ours.status === official.status &&
      ours.status === 400 &&
      String(codesOf(ours)) === String(codesOf(official)),
  },
]

/** What is left out of results before they are compared. */
export const RESULT_DIFFERENCES: readonly {
  readonly why: string
  is(key: string, value: any, parent: any): boolean
}[] = [
  {
    why: 'The SDK declares `listChanged` for resources, which a server without sessions cannot send.',
    is: (key) => key === 'listChanged',
  },
  {
    why: 'The SDK lists a resource template, `skill://{+path}`, for all skills; `resources/templates/list` is empty here.',
    is: (key) => key === 'resourceTemplates',
  },
  {
    why: 'A `SKILL.md` in a directory has the name and the description of its skill, as in `resources/list`; the SDK gives its file name.',
    is: (key, _, parent) =>
      ['name', 'description'].includes(key) && /\/SKILL.md$/.test(parent.uri) && 'mimeType' in parent,
  },
]

function some(body: unknown, test: (message: any) => boolean): boolean {
  return [body].flat().some((message) => Object(message) === message && test(message))
}

function codesOf({ messages }: Answer): readonly (number | undefined)[] {
  return messages.map(({ code }) => code)
}

function codeOf(answer: Answer): number | undefined {
  return codesOf(answer)[0]
}
