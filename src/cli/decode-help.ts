export const decodeHelp = `toolmend decode

Reads the calls that models wrote as text. A filter: JSON lines in, JSON lines
out, each answered as it comes.

  $ echo '{"id": 1, "text": "<tool_call>{\\"name\\": \\"now\\"}</tool_call>"}' | toolmend decode

In:   {"id", "text", "tools"?, "dialect"?, "reasoningOpen"?, "finishReason"?,
      "context"?}
Out:  {"id", "text", "reasoning"?, "dialect", "note"?, "calls": [{"id", "status",
      "name", "input", "repairs", "problems", "errorType"?, "feedback"?}]}

Without tools, calls are read and not checked. "context" is the conversation
before the text: messages ({"role", "content", "tool_calls"?}), strings, or one
string. A call that only repeats a user's message or a tool's result stays text,
with the note "echo".

  --dialect NAME   the dialect of lines that name none; 'auto' finds it
  --prompted       the models were asked to answer in calls
  --chunk N        read each text in pieces of N characters
  --list           list the dialects
  -h, --help       show this

Exit code: 0 well, 2 used wrongly. A line that can't be used is answered with
its "error".
`;
