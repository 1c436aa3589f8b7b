const PARTS = ['<img src=x onerror=alert(1)>', ' ]]> ', '& &amp; "q" \'a\'', ' ]]>]]> ', '</text><script>'];

/** What readers should see of `HOSTILE_TEXT`: everything that XML allows. */
export const SHOWN_TEXT = PARTS.join('');

/** A text that breaks out of unescaped markup, with characters in between that XML does not allow. */
export const HOSTILE_TEXT = PARTS.join('\u0000\u0001\u0008\u001b\ufffe\uffff');
