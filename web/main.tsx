import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme, storedTheme } from './shell/theme.ts';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import './style/runs.css';
import './style/run.css';
import './style/call.css';
import './style/figures.css';

applyTheme(storedTheme());
const page = document.getElementById('page');
if (page) render(<App />, page);
