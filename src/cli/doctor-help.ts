import type { Format } from '../turn/turn.ts';

/** The wires by the names that people give them. */
export const formats: Readonly<Record<string, Format>> = {
  openai: 'openai-chat',
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
  anthropic: 'anthropic',
  gemini: 'gemini',
  ollama: 'ollama',
};

export const doctorHelp = `toolmend doctor --upstream URL --model NAME

Asks a server of models a few small questions, and says what works there: which
wires it speaks, calls whole, streamed, nested and in parallel, tool results,
calls written as text, structured output, the context size; and what to set where
something does not.

  --upstream URL   the server: http://127.0.0.1:11434
  --model NAME     the model
  --format NAME    look at this wire alone: openai, openai-responses, anthropic,
                   gemini or ollama
  --key-env NAME   the environment variable that holds the key; keys are sent to
                   the server and shown nowhere
  --timeout N      seconds that one answer may take (60)
  --max-tokens N   tokens that one answer may have (1024)
  --json           print what was found as JSON
  -h, --help       show this

Exit code: 0 calls work, in the wire or as text; 1 they can't; 2 used wrongly.
`;
