/**
 * What we promise about faults and attacks, a row each: its number, as the tests that show it begin with, and the promise.
 * F rows are faults and attacks; the C rows are those bad calls that would do harm if they ran.
 */
export const securityRows: readonly (readonly [row: string, promise: string])[] = [
  ['F1', 'A server that dies in mid-answer is an error for the client, never a clean end; what had come is on record'],
  ['F2', 'A client that leaves takes its request to the server with it'],
  ['F3', 'A slow reader in front of a fast server costs bounded memory'],
  ['F4', 'A stream reads the same however it is cut up; a line without end meets a limit'],
  ['F5', 'A request that is too large is turned away before anybody reads it whole'],
  ['F6', 'Nesting of any depth is a problem on record; the stack does not overflow'],
  ['F7', 'Text made to be slow to repair is read in linear time'],
  ['F8', "A stranger's pattern can't hang the process: patterns run in linear time, or are refused with their tool"],
  ['F9', 'Keys and names such as __proto__ and toString reach no prototype'],
  ['F10', 'A large integer is kept whole or refused, never rounded'],
  ['F11', 'A key given twice is on record; never silently the last one'],
  ['F12', 'NUL and lone surrogates are stored as they came'],
  ['F13', 'Hundreds of thousands of keys meet a limit'],
  [
    'F14',
    'Cyclic, remote and huge schemas are refused when they come; an MCP tool that changes while it is used is flagged',
  ],
  ['F15', 'A tool that ignores its deadline holds nothing up; what it brings late is recorded and not used'],
  ['F16', 'A tool that returns what is no JSON, too much, or throws anything gives a typed error or a capped result'],
  ['F17', 'A tool that may run once only is not run again after a crash'],
  ['F18', 'A crash between any two events loses none that was committed'],
  ['F19', 'A store that fails stops the run; success is never told from memory alone'],
  ['F20', 'Two workers with one run: the second is fenced off'],
  ['F21', 'A tool that fetches reaches public addresses alone, checked as the connection is made'],
  ['F22', "A caller can't name a server of its own choice; a key never leaves for an origin it is not for"],
  ['F23', 'Secrets are kept out of the store, the log and the page'],
  [
    'F24',
    'Web pages of others reach neither the inspector nor what it shows; what models and tools wrote is shown as text',
  ],
  ['F25', 'Slow clients, floods and endless loops meet deadlines, caps and 429'],
  ['F26', 'A slow model is waited for as long as it is said, by limits of our own'],
  [
    'F27',
    'A recorded decision is final: what runs is what was approved, whatever rules, hooks or processes come after',
  ],
  ['F28', 'An approver sees every argument; hidden and reversing characters are escaped'],
  ['F29', 'Text that opens a call and never closes it is bounded'],
  ['F30', 'Recursive unions, towers of references and unknown keys cost linear work, or are refused with their tool'],
  ['C1', 'A model that repeats a bad call is stopped after a few turns, and the run says why'],
  ['C2', 'A call that was cut off never runs'],
  ['C7', 'Calls that a server mixes up are told apart; arguments of one never reach another'],
  ['C9', 'Text for a text field is never taken for anything else'],
  ['C12', 'Feedback does not keep a loop alive: every loop has a budget'],
  ['C14', 'Tools of MCP servers are checked like all others, by the schema they were accepted with'],
  ['C16', 'A bad item is never dropped from a list'],
  ['C18', 'A cut-off call is found by its text, whatever the server says of how it ended'],
];

/** Faults that are known and not promised yet, each with what can happen; SECURITY.md says so too. */
export const openFaults: readonly (readonly [row: string, what: string])[] = [
  ['F31', 'A run that kills its worker is taken up again and again, and by workers of other agents on the same queue'],
  ['F32', "The proxy's rate limit counts by the key a client shows, and an encoded slash can leave the base path"],
  ['F33', 'Instructions and prompts of an MCP server may change after its tools were accepted'],
];
