import type { FileRequests } from './fileRequests.ts';
import type { TerminalRequests } from './terminalRequests.ts';

/** What one agent may ask of us besides permissions. A part that is null is not offered to it. */
export interface ClientServices {
  readonly files: FileRequests | null;
  readonly terminals: TerminalRequests | null;
}
