/**
 * Our guarantees about faults and attacks: the number that the titles of their tests start with, and the guarantee.
 * F rows are faults and attacks. C rows are bad calls that would do harm if they ran.
 */
export const securityRows: readonly (readonly [row: string, promise: string])[] = [
  [
    'F1',
    'If a server dies during a response, the client gets an error, never a clean end; the partial response is recorded',
  ],
  ['F2', 'If a client disconnects, its request to the upstream is aborted'],
  ['F3', 'A slow client of a fast server uses bounded memory'],
  ['F4', 'The result of a stream does not depend on its chunks; the length of a line is limited'],
  ['F5', 'A request that is too large is rejected before it is read completely'],
  ['F6', 'Nesting that is too deep is reported as a problem; the stack does not overflow'],
  ['F7', 'Text designed to be slow to repair is read in linear time'],
  ['F8', "An untrusted pattern can't hang the process: patterns run in linear time, or are refused with their tool"],
  ['F9', 'Keys and names such as __proto__ and toString reach no prototype'],
  ['F10', 'A large integer is represented exactly or refused, never rounded'],
  ['F11', 'A duplicate key is reported; the last one never wins silently'],
  ['F12', 'NUL and lone surrogates are stored unchanged'],
  ['F13', 'The number of keys is limited'],
  ['F14', 'Cyclic, remote and huge schemas are refused on arrival; an MCP tool that changes while in use is flagged'],
  ['F15', 'A tool that ignores its timeout blocks nothing; a late result is recorded and not used'],
  ['F16', 'A tool that returns invalid JSON or too much data, or throws, gives a typed error or a truncated result'],
  ['F17', "A tool that must not be repeated doesn't run again after a crash"],
  ['F18', 'A crash between two events loses no committed event'],
  ['F19', 'A failing store stops the run; success is reported only once it is stored'],
  ['F20', "If two workers have the same run, one of them can't write"],
  ['F21', 'A tool that fetches reaches only public addresses, checked when the connection is made'],
  ['F22', "A client can't choose the server; an API key is never sent to another origin"],
  ['F23', 'Secrets are kept out of the store, the log and the page'],
  ['F24', "Other websites can't reach the inspector or its data; output of models and tools is displayed as text"],
  ['F25', 'Slow clients, floods and endless loops are stopped by timeouts, limits and status 429'],
  ['F26', "A slow model gets the configured timeout, independent of the HTTP client's defaults"],
  ['F27', 'A recorded decision is final: the call runs as approved, whatever rules, hooks or processes follow'],
  ['F28', 'An approver sees every argument; hidden and reversing characters are escaped'],
  ['F29', 'Text that opens a call and never closes it uses bounded memory and time'],
  ['F30', 'Recursive unions, towers of references and unknown keys cost linear work, or are refused with their tool'],
  ['F31', 'A run that keeps crashing its worker is given up after a number of attempts; runs belong to their agent'],
  [
    'F32',
    "A client can't evade its rate limit with other keys, or leave the base path of an upstream with encoded slashes",
  ],
  [
    'F33',
    'Tools, instructions, prompts and resources of an MCP server that change after they were accepted are withheld',
  ],
  ['C1', 'A model that repeats a bad call is stopped after a few turns, and the run reports the reason'],
  ['C2', 'A truncated call never runs'],
  ['C7', 'Calls that a server mixes up are kept apart; the arguments of one call never reach another'],
  ['C9', 'Text for a text field is never read as anything else'],
  ['C12', 'Feedback does not keep a loop alive: every loop has a budget'],
  ['C14', 'Tools of MCP servers are checked like all others, with the schema you accepted'],
  ['C16', 'A bad item is never dropped from a list'],
  ['C18', 'A truncated call is detected by its text, whatever finish reason the server reports'],
];

/** Known faults without a guarantee, each with its possible effect. SECURITY.md lists them too. */
export const openFaults: readonly (readonly [row: string, what: string])[] = [];
