import type { PromptLanguage, PromptWords } from './promptWords.ts';
import { CHINESE } from './promptWordsChinese.ts';
import { ENGLISH } from './promptWordsEnglish.ts';

/** What the person can choose; `auto`: the language that the face speaks. */
export const LANGUAGE_CHOICES = ['auto', 'en', 'zh-cn'] as const;
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number];

/** The words of a language. */
export function promptWords(language: PromptLanguage = 'en'): PromptWords {
  return language === 'zh-cn' ? CHINESE : ENGLISH;
}

/** The language of the prompts. `locale`: of the face, such as `zh-cn`, `zh_CN.UTF-8` or `de`; Chinese of any kind is Chinese. */
export function promptLanguage(choice: LanguageChoice, locale: string): PromptLanguage {
  if (choice !== 'auto') return choice;
  return /^zh(?![a-z])/i.test(locale) ? 'zh-cn' : 'en';
}
