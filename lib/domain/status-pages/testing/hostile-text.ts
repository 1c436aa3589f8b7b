const PARTS = ['<img src=x onerror=alert(1)>', ' ]]> ', '& &amp; "q" \'a\'', ' ]]>]]> ', '</text><script>'];

/** What a reader should see of `HOSTILE_TEXT`: everything that XML can hold. */
export const SHOWN_TEXT = PARTS.join('');

/** A text that ends what it is put into, where nobody watches, with characters in between that XML refuses. */
export const HOSTILE_TEXT = PARTS.join('\u0000\u0001\u0008\u001b\ufffe\uffff');
