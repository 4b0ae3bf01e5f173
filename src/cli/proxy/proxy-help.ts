export const proxyHelp = `toolmend proxy [--upstream URL]

Stands between a client and a server of models, in the client's own protocol, and
mends the tool calls of every answer. Point your client's base URL at it. Without
an upstream a script plays the model, so that you can try it with curl.

  --upstream URL      the server: http://127.0.0.1:11434, https://api.openai.com/v1
  --format NAME       what it speaks: openai, anthropic, gemini or ollama; it is
                      asked where nothing is said
  --dialect NAME      how its models write calls as text: auto, native, or a name
                      of 'toolmend decode --list'
  --port N            where to listen (17645)
  --host ADDRESS      on which address (127.0.0.1); others need a --token
  --token VARIABLE    the environment variable that holds what clients must show
                      as their key
  --live              change nothing, report what would have been mended
  --stream-arguments  pass arguments on as they come; a call that is cut off then reaches
                      the client, which may complete and run it (default: buffered)
  --retries N         take calls that can't be mended back to the model, unseen by the
                      client, up to N times (0)
  --config FILE       settings as JSON: several upstreams, models by pattern, keys,
                      limits
  --log FILE          keep names, repairs and problems of answers in a SQLite file,
                      or in Postgres at a postgres:// address
  --log-content FILE  keep what was said, too, without secrets
  --keep-days N       forget what is older
  --no-inspector      serve no inspector
  --json              one JSON line per request; else a line to read
  -h, --help          show this

GET /healthz says whether it is well, /metrics has figures for Prometheus. The
last 200 answers, or those of the log, are shown by the inspector, a web page
whose address is printed at the start, and as JSON at /toolmend/runs.
SIGTERM and Ctrl-C let what is under way finish; a second one does not.

Exit code: 0 stopped, 2 used wrongly.
`;
