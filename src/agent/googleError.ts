import * as z from 'zod';
import { parseWire } from '../protocol/parseWire.ts';
import type { FailureCause } from '../shared/ending.ts';

const googleError = z.looseObject({
  error: z.looseObject({
    code: z.number().optional(),
    message: z.string(),
    status: z.string().optional(),
    details: z.array(z.looseObject({ reason: z.string().optional() })).optional(),
  }),
});

/** The body of an error answer of Google's API. */
export type GoogleError = z.output<typeof googleError>['error'];

/** Reads such a body from its text, as Gemini CLI passes it on (acp-18d-auth-wrong-key, sj-05-api-400); null: it is none. */
export function readGoogleError(text: string): GoogleError | null {
  if (!text.startsWith('{')) return null;
  try {
    const parsed = parseWire(googleError, null, JSON.parse(text));
    return parsed.type === 'known' ? parsed.value.error : null;
  } catch {
    return null;
  }
}

/** What an error means for the turn, by the HTTP status (`code`, else the body's own) and the body's words. */
export function googleCause(
  code: number | null,
  error: GoogleError | null,
): Extract<FailureCause, 'signIn' | 'quota' | 'agentError'> {
  const http = code ?? error?.code;
  if (http === 401 || http === 403) return 'signIn';
  if (error?.status === 'UNAUTHENTICATED' || error?.status === 'PERMISSION_DENIED') return 'signIn';
  if (error?.details?.some(({ reason }) => reason === 'API_KEY_INVALID') === true) return 'signIn';
  return http === 429 || error?.status === 'RESOURCE_EXHAUSTED' ? 'quota' : 'agentError';
}
