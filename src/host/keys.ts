import type * as vscode from 'vscode';

const GEMINI_KEY = 'cgloop.geminiApiKey';

/** The programs that the Gemini key is for, by catalog id. */
const GEMINI_AGENTS = ['gemini', 'gemini-headless'] as const;

/** Catalog id → variables for that agent's process alone. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The keys of this person, kept by VS Code; nowhere else are they written. */
export interface Keys {
  setGemini(key: string): Promise<void>;
  clear(): Promise<void>;
  hasAny(): Promise<boolean>;
  secrets(): Promise<Secrets>;
}

/** `storage`: the extension's secret storage. */
export function createKeys(storage: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>): Keys {
  return {
    async setGemini(key) {
      await storage.store(GEMINI_KEY, key);
    },
    async clear() {
      await storage.delete(GEMINI_KEY);
    },
    hasAny: async () => (await storage.get(GEMINI_KEY)) !== undefined,
    async secrets() {
      const key = await storage.get(GEMINI_KEY);
      if (key === undefined) return {};
      return Object.fromEntries(GEMINI_AGENTS.map((id) => [id, { GEMINI_API_KEY: key }]));
    },
  };
}

/** Why a text cannot be a key; null: it can. Gemini CLI drops other characters without a word. */
export function keyProblem(text: string): 'empty' | 'characters' | null {
  const key = text.trim();
  if (key === '') return 'empty';
  return /^[\w./-]+$/.test(key) ? null : 'characters';
}
