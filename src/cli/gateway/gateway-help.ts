export const gatewayHelp = `toolmend gateway --config FILE
toolmend gateway -- COMMAND [ARGUMENT ...]
toolmend gateway accept --config FILE [SERVER | SERVER/TOOL ...]

Stands between an MCP host and its servers, as an MCP server itself: mends and
checks the arguments of calls, and tells the model what is wrong with the rest.
Everything else passes through. Put it where the host has your servers now.

  --config FILE       settings as JSON, with "mcpServers" as hosts have it
  -- COMMAND ...      one server, started by this command
  --pins FILE         where the accepted definitions of tools are kept; beside the
                      settings unless it is said
  --http              listen for clients over HTTP; else the gateway speaks on its
                      input and output with the host that started it
  --port N            where to listen (17646)
  --host ADDRESS      on which address (127.0.0.1); others need a --token
  --token VARIABLE    the environment variable that holds what clients must show
                      as Authorization: Bearer
  --log FILE          keep names, repairs and problems of calls in a SQLite file,
                      or in Postgres at a postgres:// address
  --log-content FILE  keep arguments and results, too, without secrets
  --keep-days N       forget what is older
  -h, --help          show this

With --http and a log, a web page shows what passed; its address is printed.
A tool whose definition changes is not called until it is accepted; 'toolmend gateway
accept' shows what waits, and accepts what is named, or everything with '*'.

Exit code: 0 over, 1 something waits to be accepted, 2 used wrongly.
`;
