import type { Translate, Words } from './translate.ts';

/**
 * The name of an option, or how far it reaches, in the person's language: of those that we give ourselves, and of those that
 * Gemini CLI and Claude Code name so. Others stay as the agent said them.
 */
export function optionWords(text: string, t: Translate): string {
  return KNOWN.get(text)?.(t) ?? text;
}

const WORDS: readonly Words[] = [
  (t) => t('Allow'),
  (t) => t('Allow once'),
  (t) => t('Always Allow'),
  (t) => t('Always allow in this session'),
  (t) => t('Allow for this session'),
  (t) => t('Allow tool for this session'),
  (t) => t('Allow all server tools for this session'),
  (t) => t('Allow this command for all future sessions'),
  (t) => t('Allow for this file in all future sessions'),
  (t) => t('Deny'),
  (t) => t('Reject'),
  (t) => t('Approve the plan'),
  (t) => t('Keep planning'),
  (t) => t('Answer'),
  (t) => t('Decline to answer'),
  (t) => t('Send'),
  (t) => t('Decline'),
  (t) => t('this file, in this turn'),
  (t) => t('this command, once'),
  (t) => t('every edit of this session, of any file'),
  (t) => t('this program with any arguments, in this session'),
  (t) => t('this tool, in this session'),
  (t) => t('this tool of the MCP server, in this session'),
  (t) => t('every tool of the MCP server, in this session'),
  (t) => t('for ever, in every project of this computer'),
];

const KNOWN: ReadonlyMap<string, Words> = new Map(WORDS.map((words) => [words((text) => text), words]));
