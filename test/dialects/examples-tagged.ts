import type { Example } from './example.ts';

/** Examples of the rows of `table-tagged.ts`. */
export const taggedExamples: Readonly<Record<string, readonly Example[]>> = {
  'qwen3-coder': [
    {
      text: '<function=special_function>\n<parameter=arg1>\n1\n</parameter>\n</function>\n</tool_call>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
      faulty: true,
    },
    {
      text: '<tool_call>\n<function=get_weather>\n<parameter=city>Tokyo</parameter>\n</function>\n</tool_call><tool_call>\n<function=get_time>\n<parameter=timezone>Asia/Tokyo</parameter>\n</function>\n</tool_call>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
        { name: 'get_time', arguments: { timezone: 'Asia/Tokyo' } },
      ],
    },
  ],
  'nemotron-v3': [
    {
      text: '<tool_call>\n<function=special_function>\n<parameter=arg1>\n1\n</parameter>\n</function>\n</tool_call>\n',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<tool_call>\n<function=get_weather>\n<parameter=city>Tokyo</parameter>\n</function>\n</tool_call><tool_call>\n<function=get_time>\n<parameter=timezone>Asia/Tokyo</parameter>\n</function>\n</tool_call>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
        { name: 'get_time', arguments: { timezone: 'Asia/Tokyo' } },
      ],
    },
  ],
  step3p5: [
    {
      text: 'Test decimal number\n</think>\n<tool_call>\n<function=amount>\n<parameter=orig>\n3.14\n</parameter>\n</function>\n</tool_call>',
      calls: [{ name: 'amount', arguments: { orig: 3.14 } }],
      reasoning: 'Test decimal number',
      reasoningOpen: true,
    },
    {
      text: '<tool_call>\n<function=get_current_weather>\n<parameter=city>\nSys\n</parameter>\n</function>\n</tool_call><tool_call>\n<function=calculate_area>\n<parameter=shape>\nrectangle</parameter>\n</function>\n</tool_call>',
      calls: [
        { name: 'get_current_weather', arguments: { city: 'Sys' } },
        { name: 'calculate_area', arguments: { shape: 'rectangle' } },
      ],
    },
  ],
  'seed-oss': [
    {
      text: '<seed:tool_call>\n<function=special_function>\n<parameter=arg1>1</parameter>\n</function>\n</seed:tool_call>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<seed:tool_call>\n<function=special_function>\n<parameter=arg1>1</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=special_function_with_opt>\n<parameter=arg1>1</parameter>\n<parameter=arg2>2</parameter>\n</function>\n</seed:tool_call>',
      calls: [
        { name: 'special_function', arguments: { arg1: 1 } },
        { name: 'special_function_with_opt', arguments: { arg1: 1, arg2: 2 } },
      ],
    },
  ],
  glm45: [
    {
      text: '<tool_call>search\n{"query": "tacos"}\n</tool_call>',
      calls: [{ name: 'search', arguments: { query: 'tacos' } }],
    },
    {
      text: '<tool_call>special_function<arg_key>arg1</arg_key><arg_value>1</arg_value></tool_call>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<tool_call>get_weather<arg_key>city</arg_key><arg_value>Beijing</arg_value></tool_call><tool_call>get_weather<arg_key>city</arg_key><arg_value>Shanghai</arg_value></tool_call>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Beijing' } },
        { name: 'get_weather', arguments: { city: 'Shanghai' } },
      ],
    },
  ],
  'poolside-v1': [
    {
      text: '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>tacos</arg_value>\n</tool_call>',
      calls: [{ name: 'search', arguments: { query: 'tacos' } }],
    },
    {
      text: '<tool_call>get_weather\n<arg_key>location</arg_key></tool_call><tool_call>search\n<arg_key>query</arg_key>\n<arg_value>tacos</arg_value>\n</tool_call>',
      calls: [
        { name: 'get_weather', arguments: {} },
        { name: 'search', arguments: { query: 'tacos' } },
      ],
      refused: [0],
    },
  ],
  ling3: [
    {
      text: '<tool_call>get_weather<arg_key>city</arg_key><arg_value>Beijing</arg_value></tool_call>',
      calls: [{ name: 'get_weather', arguments: { city: 'Beijing' } }],
    },
  ],
  'hy-v3': [
    {
      text: '<tool_calls><tool_call>get_weather<tool_sep><arg_key>city</arg_key><arg_value>NYC</arg_value></tool_call></tool_calls>',
      calls: [{ name: 'get_weather', arguments: { city: 'NYC' } }],
    },
    {
      text: '<tool_calls><tool_call>get_current_date<tool_sep></tool_call><tool_call>nonexistent<tool_sep></tool_call><tool_call>search<tool_sep><arg_key>query</arg_key><arg_value>test</arg_value></tool_call></tool_calls>',
      calls: [
        { name: 'get_current_date', arguments: {} },
        { name: 'nonexistent', arguments: {} },
        { name: 'search', arguments: { query: 'test' } },
      ],
    },
  ],
  'hy-v4': [
    {
      text: '<tool_calls:6124c78e>\n<tool_call:6124c78e>get_weather<arg_key:6124c78e>city</arg_key:6124c78e><arg_value:6124c78e>Oslo</arg_value:6124c78e></tool_call:6124c78e>\n</tool_calls:6124c78e>',
      calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }],
    },
    {
      text: '<tool_calls>\n<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>\n<tool_call>now</tool_call>\n</tool_calls>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Oslo' } },
        { name: 'now', arguments: {} },
      ],
    },
  ],
  telechat4: [
    {
      text: '<tool_call>get_weather<param_key>city</param_key><param_value>Oslo</param_value></tool_call>',
      calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }],
    },
    {
      text: '<tool_call>search\n<param_key>query</param_key>\n<param_value>tacos</param_value>\n</tool_call>\n<tool_call>{"name": "now", "arguments": {"zone": "CET"}}</tool_call>',
      calls: [
        { name: 'search', arguments: { query: 'tacos' } },
        { name: 'now', arguments: { zone: 'CET' } },
      ],
      named: true,
    },
  ],
  'minimax-m2': [
    {
      text: '<minimax:tool_call><invoke name="special_function"><parameter name="arg1">1</parameter></invoke></minimax:tool_call>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<minimax:tool_call><invoke name="a"><parameter name="x">1</parameter></invoke><invoke name="b"><parameter name="x">2</parameter></invoke></minimax:tool_call>',
      calls: [
        { name: 'a', arguments: { x: 1 } },
        { name: 'b', arguments: { x: 2 } },
      ],
    },
  ],
  'anthropic-xml': [
    {
      text: 'I will check.\n\n<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n<parameter name="days">3</parameter>\n</invoke>\n</function_calls>',
      calls: [{ name: 'get_weather', arguments: { city: 'Paris', days: 3 } }],
      left: 'I will check.',
    },
    {
      text: '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n<invoke name="add">\n<parameter name="x">1</parameter>\n<parameter name="y">2</parameter>\n</invoke>\n</function_calls>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Paris' } },
        { name: 'add', arguments: { x: 1, y: 2 } },
      ],
    },
  ],
  'anthropic-xml-legacy': [
    {
      text: '<function_calls>\n<invoke>\n<tool_name>get_weather</tool_name>\n<parameters>\n<city>Paris</city>\n<days>3</days>\n</parameters>\n</invoke>\n</function_calls>',
      calls: [{ name: 'get_weather', arguments: { city: 'Paris', days: 3 } }],
    },
  ],
  dots: [
    {
      text: '<dots_function_call>{"name":"search","arguments":{"query":"chairs"}}</dots_function_call>',
      calls: [{ name: 'search', arguments: { query: 'chairs' } }],
    },
    {
      text: 'visible<dots_function_call><invoke name="search"><parameter name="query">chairs</parameter></invoke></dots_function_call><dots_function_call><invoke name="search"><parameter name="query">tables</parameter></invoke></dots_function_call>',
      calls: [
        { name: 'search', arguments: { query: 'chairs' } },
        { name: 'search', arguments: { query: 'tables' } },
      ],
      left: 'visible',
    },
  ],
  'deepseek-v32': [
    {
      text: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="special_function">\n<｜DSML｜parameter name="arg1" string="false">1</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="fn_a">\n<｜DSML｜parameter name="x" string="true">1</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="fn_b">\n<｜DSML｜parameter name="y" string="true">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      calls: [
        { name: 'fn_a', arguments: { x: '1' } },
        { name: 'fn_b', arguments: { y: '2' } },
      ],
    },
  ],
  'deepseek-v4': [
    {
      text: '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="special_function">\n<｜DSML｜parameter name="arg1" string="false">1</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_favorite_tourist_spot">\n<｜DSML｜parameter name="city" string="true">SF</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="submit"/>\n</｜DSML｜tool_calls>',
      calls: [
        { name: 'get_favorite_tourist_spot', arguments: { city: 'SF' } },
        { name: 'submit', arguments: {} },
      ],
    },
  ],
  'deepseek-v41': [
    {
      text: '<｜DSML｜ calls>\n<｜DSML｜ invoke name="special_function">\n<｜DSML｜ parameter name="arg1" string="false">1</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n</｜DSML｜ calls>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: 'Let me see.\n\n<｜DSML｜ calls>\n<｜DSML｜ invoke name="get_weather">\n<｜DSML｜ parameter name="city" string="true">Oslo</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n<｜DSML｜ invoke name="get_time">\n<｜DSML｜ parameter name="zone" string="true">CET</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n</｜DSML｜ calls>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Oslo' } },
        { name: 'get_time', arguments: { zone: 'CET' } },
      ],
      left: 'Let me see.',
    },
  ],
  gigachat35: [
    {
      text: '<｜GCML｜tool_calls>\n<｜GCML｜invoke name="get_weather">\n<｜GCML｜parameter name="city" string="true">Tomsk</｜GCML｜parameter>\n<｜GCML｜parameter name="days" string="false">3</｜GCML｜parameter>\n</｜GCML｜invoke>\n</｜GCML｜tool_calls></s>',
      calls: [{ name: 'get_weather', arguments: { city: 'Tomsk', days: 3 } }],
    },
    {
      text: 'I look both up.\n<｜GCML｜tool_calls>\n<｜GCML｜invoke name="fn_a">\n<｜GCML｜parameter name="x" string="true">1</｜GCML｜parameter>\n</｜GCML｜invoke>\n<｜GCML｜invoke name="fn_b">\n<｜GCML｜parameter name="y" string="false">[2]</｜GCML｜parameter>\n</｜GCML｜invoke>\n</｜GCML｜tool_calls>',
      calls: [
        { name: 'fn_a', arguments: { x: '1' } },
        { name: 'fn_b', arguments: { y: [2] } },
      ],
      left: 'I look both up.',
    },
  ],
  'k2-horizon': [
    {
      text: '<ifm|tool_calls><ifm|tool_call>get_weather<ifm|arg_key>city</ifm|arg_key><ifm|arg_value>Abu Dhabi</ifm|arg_value></ifm|tool_call></ifm|tool_calls>',
      calls: [{ name: 'get_weather', arguments: { city: 'Abu Dhabi' } }],
    },
    {
      text: '<ifm|tool_calls>\n<ifm|tool_call>now\n</ifm|tool_call>\n<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key>\n<ifm|arg_value>Oslo</ifm|arg_value>\n</ifm|tool_call>\n</ifm|tool_calls>',
      calls: [
        { name: 'now', arguments: {} },
        { name: 'get_weather', arguments: { city: 'Oslo' } },
      ],
    },
    {
      text: '<ifm|tool_calls><ifm|tool_call>{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}</ifm|tool_call></ifm|tool_calls>',
      calls: [{ name: 'get_weather', arguments: { city: 'Oslo', days: 2 } }],
    },
  ],
  step3: [
    {
      text: '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Tokyo</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
      calls: [{ name: 'get_weather', arguments: { city: 'Tokyo' } }],
    },
    {
      text: '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Tokyo</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_sep｜><｜tool_call_begin｜><steptml:invoke name="get_time"><steptml:parameter name="timezone">Asia/Tokyo</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
        { name: 'get_time', arguments: { timezone: 'Asia/Tokyo' } },
      ],
    },
  ],
  minicpm5: [
    {
      text: '<function name="python"><param name="code">print(\'x\')</param></function>',
      calls: [{ name: 'python', arguments: { code: "print('x')" } }],
    },
    {
      text: '<function name="get_weather"><param name="city">北京</param></function><function name="sum_values"><param name="nums">[1,2]</param></function>',
      calls: [
        { name: 'get_weather', arguments: { city: '北京' } },
        { name: 'sum_values', arguments: { nums: [1, 2] } },
      ],
    },
  ],
  'kimi-k3': [
    {
      text: '<|open|>response<|sep|><|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="special_function" index="1"<|sep|><|open|>argument key="arg1" type="number"<|sep|>1<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<|open|>tools<|sep|><|open|>call tool="python" index="1"<|sep|><|open|>argument key="code" type="string"<|sep|>a<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool="python" index="2"<|sep|><|open|>argument key="code" type="string"<|sep|>b<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
      calls: [
        { name: 'python', arguments: { code: 'a' } },
        { name: 'python', arguments: { code: 'b' } },
      ],
    },
  ],
  'minimax-m3': [
    {
      text: '</mm:think>]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="special_function">]<]minimax[>[<arg1>1]<]minimax[>[</arg1>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
      reasoningOpen: true,
    },
    {
      text: ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Beijing]<]minimax[>[</city>]<]minimax[>[</invoke>]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Tokyo]<]minimax[>[</city>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Beijing' } },
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
      ],
    },
  ],
  'cline-xml': [
    {
      text: '<read_file><path>src/file.ts</path></read_file>',
      calls: [{ name: 'read_file', arguments: { path: 'src/file.ts' } }],
    },
    {
      text: '<read_file><path>file1.ts</path></read_file><read_file><path>file2.ts</path></read_file>',
      calls: [
        { name: 'read_file', arguments: { path: 'file1.ts' } },
        { name: 'read_file', arguments: { path: 'file2.ts' } },
      ],
    },
  ],
};
