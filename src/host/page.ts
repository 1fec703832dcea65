/** What the shell page loads. `source` is the webview's own origin for the policy. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
  readonly source: string;
  /** Fresh for every page. */
  readonly nonce: string;
  /** BCP 47 tag. */
  readonly language: string;
}

/**
 * The shell page and nothing more: a policy that allows our script, styles and font, pictures that it holds itself,
 * and no other thing (case C58). The script is a module, which loads parts of itself on their first use: those come from
 * our folder, and have no nonce.
 */
export function pageHtml({ script, style, source, nonce, language }: PageParts): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}' ${source}; style-src ${source}; font-src ${source}; img-src data:`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Claude–Gemini Loop</title>
<link rel="stylesheet" href="${escapeHtml(style)}">
</head>
<body>
<script type="module" nonce="${escapeHtml(nonce)}" src="${escapeHtml(script)}"></script>
</body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
