/** An image that goes with a task. `data` is base64. */
export interface TaskImage {
  readonly name: string;
  readonly mimeType: string;
  readonly data: string;
}

/** How much an image may be, in bytes, and how many may go with one task. The kinds are those that every model here takes. */
export const IMAGE_LIMITS = {
  bytes: 5 * 1024 * 1024,
  count: 8,
  types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
} as const;

/** How many bytes the base64 text stands for. */
export function bytesOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

/** The word that a slash command begins with, such as `review` of `/review all`; null for any other task. */
export function slashWord(task: string): string | null {
  return /^\/([A-Za-z][\w:.-]*)(?=\s|$)/.exec(task)?.[1] ?? null;
}
