export const mendHelp = `toolmend mend [TEXT]

Mends what a model wrote. TEXT is an argument, or comes on standard input.

Any text that should be JSON:
  $ toolmend mend "{path: 'a.ts',}"
  {"path":"a.ts"}

A call of a tool:
  $ toolmend mend --tools tools.json --name read_file "{path: 'a.ts',}"

  --tools FILE            tool definitions (MCP, Anthropic, OpenAI or Gemini)
  --name NAME             the tool's name as the model wrote it; without it TEXT
                          is a call {"name": …, "arguments": …}, or FILE holds
                          one tool
  --schema FILE           a JSON Schema for TEXT, instead of tools
  --finish-reason REASON  how the message ended; 'length' if it was cut off
  --tries N               which failed try this is (1 to 3): later ones are told
                          more
  --json                  print the whole outcome
  --jsonl                 read calls as JSON lines, answer each with a line
  -h, --help              show this

Into a pipe only the mended JSON is written, and what the model is told goes to
standard error. On a terminal, before and after stand side by side, with why.
Exit code: 0 sound or mended, 1 invalid, 2 the command or a file can't be used.
`;
