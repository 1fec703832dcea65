#!/usr/bin/env node
// A `code` that takes desktop VS Code's arguments: give its path to @vscode/test-electron as vscodeExecutablePath.
import { register } from 'tsx/esm/api';

register();
await import('./code.ts');
