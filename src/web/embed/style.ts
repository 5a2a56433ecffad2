/** System colours follow the page's own `color-scheme`; a page can change other styles with custom properties and `::part`. */
export const STYLE = `
:host{display:block;position:relative;font:inherit;--a:var(--hsapi-accent,LinkText);--r:var(--hsapi-radius,8px);--p:color-mix(in srgb,CanvasText 68%,Canvas)}
@supports(color:light-dark(red,red)){:host{--a:var(--hsapi-accent,light-dark(#0a6355,#6fd3bf))}}
:host([hidden]){display:none}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark}
*{box-sizing:border-box}
input{inline-size:100%;min-block-size:44px;padding:.4em .75em;border:1px solid color-mix(in srgb,CanvasText 55%,Canvas);border-radius:var(--r);background:Field;color:FieldText;font:inherit}
input::placeholder{color:var(--p);opacity:1}
input:placeholder-shown{direction:inherit}
input:focus{outline:3px solid var(--a);outline-offset:-1px;border-color:transparent}
input:disabled{opacity:.6}
ul{position:absolute;z-index:var(--hsapi-z,20);inset-inline:0;max-block-size:min(24rem,60vh);margin:4px 0 0;padding:4px;overflow-y:auto;list-style:none;border:1px solid color-mix(in srgb,CanvasText 25%,Canvas);border-radius:var(--r);background:Canvas;color:CanvasText;box-shadow:0 12px 32px rgb(0 0 0/22%)}
li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 .75em;min-block-size:44px;padding:.35em .6em;border-radius:calc(var(--r) - 3px);cursor:pointer;line-height:1.4}
li:hover,li[aria-selected=true]{background:color-mix(in srgb,var(--a) 16%,Canvas)}
li[aria-selected=true]{outline:2px solid var(--a);outline-offset:-2px}
.description{grid-column:1/-1;overflow-wrap:anywhere}
[dir=rtl] input{text-align:right}
bdi{justify-self:start;font-weight:650;font-variant-numeric:tabular-nums}
.rate{color:var(--p);font-size:.9em}
p{margin:.35em 0 0;font-size:.9em;color:var(--p);overflow-wrap:anywhere}
p:empty,[hidden]{display:none}
.unseen{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`
