/** The widths of bars that stand for several days. */
const SPANS = Array.from(
  { length: 31 },
  (_, index) => `.n${index + 1}{grid-column:span ${index + 1};--n:${index + 1}}`,
).join('');

/** The styles of every page; its colors are variables of the theme. Line breaks are removed. */
export const STYLESHEET = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:16px}
body{margin:0 auto;max-width:890px;padding:0 20px;background:var(--bg);color:var(--ink);
font:15px/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
h1,h2,h3,h4,p,ol,ul{margin:0;padding:0}
h1,h2,h3,h4{line-height:1.3;font-weight:600;letter-spacing:-.011em}
h2{font-size:16px}
h3,h4{font-size:15px}
ol,ul{list-style:none}
a{color:var(--accent);text-underline-offset:3px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
main:focus{outline:0}
.skip{position:absolute;left:-999px;padding:8px 12px;background:var(--accent);color:var(--bg)}
.skip:focus{left:8px;top:8px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
header{display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px;padding:44px 0 24px}
header:before{content:"";position:absolute;inset:0 0 auto;height:4px;background:var(--accent)}
h1{font-size:20px;flex:1 1 200px}
.logo{float:left;margin:-3px 12px 0 0;line-height:0}
.logo img{height:32px;width:auto;max-width:200px;object-fit:contain;vertical-align:top}
h1 a{color:inherit;text-decoration:none}
header nav,footer nav{display:flex;flex-wrap:wrap;align-items:center;gap:4px 16px}
nav a{color:var(--muted);text-decoration:none;font-size:14px;padding:2px 0}
header nav a{color:var(--accent)}
nav .act{padding:5px 12px;border:1px solid;border-radius:6px;font-weight:500}
:is(nav,h3,footer) a:hover{color:var(--accent);text-decoration:underline}
.about{flex-basis:100%;color:var(--muted)}
main>section,main>ul{margin-top:36px}
main>section:first-child{margin-top:0}
.icon{flex:none;width:16px;height:16px}
.good{color:var(--good)}.slow{color:var(--slow)}.bad{color:var(--bad)}.info{color:var(--info)}.rest{color:var(--muted)}
.banner{display:flex;gap:14px;padding:20px;border:1px solid color-mix(in srgb,currentColor 40%,transparent);border-radius:10px}
.banner .icon{width:26px;height:26px;margin-top:1px}
.banner h2{font-size:20px;line-height:28px;color:var(--ink)}
.banner p{color:var(--muted);font-size:14px;font-variant-numeric:tabular-nums}
.banner.good{background:var(--goodWash)}.banner.slow{background:var(--slowWash)}.banner.bad{background:var(--badWash)}
.banner.info{background:var(--infoWash)}.banner.rest{background:var(--restWash)}
section>h2{margin-bottom:12px}
.card,.list,.empty{border:1px solid var(--line);border-radius:10px}
.card{padding:16px 20px;border-left:3px solid;margin-bottom:12px}
.card h3,.line h3{display:flex;gap:8px;align-items:flex-start}
.card .icon,.line .icon{margin-top:2px}
.card h3{color:var(--ink)}
h3 a{color:var(--ink);text-decoration:none}
.card>:not(h3){margin-left:24px}
.card p,.card ol{color:var(--ink)}
.facts,.card .facts,.updates time{color:var(--muted);font-size:14px}
.text{white-space:pre-line;max-width:75ch}
.updates{margin-top:12px}
.updates time{white-space:nowrap}
.updates li{position:relative;padding:0 0 14px 18px;border-left:1px solid var(--line)}
.updates li:last-child{padding-bottom:0}
.updates li:before{content:"";position:absolute;left:-4px;top:8px;width:7px;height:7px;border-radius:9px;background:var(--muted)}
.updates strong{font-weight:600;margin-right:4px}
.list>li{padding:16px 20px 12px;content-visibility:auto;contain-intrinsic-size:auto 90px}
.list>li+li{border-top:1px solid var(--line)}
.list:empty{display:none}
.row{display:flex;flex-wrap:wrap;gap:0 16px;align-items:center;justify-content:flex-end}
.row :is(h3,h4){flex:1 1 200px}
.list>.component{padding-bottom:16px;contain-intrinsic-height:auto 21px}
.uptime{color:var(--muted);font-size:14px;text-align:right;font-variant-numeric:tabular-nums}
.state{display:inline-flex;justify-content:flex-end;min-width:112px;gap:6px;align-items:center;font-size:14px;font-weight:500}
.bars{--g:2px;--h:34px;--t:0px}
.bars fieldset{position:relative;display:grid;grid-template:var(--h)/repeat(var(--d,90),1fr);column-gap:var(--g);
margin:10px 0 0;padding:0;border:0;min-width:0}
.month .bars{--g:3px}
.month fieldset{grid-template-columns:repeat(31,1fr);grid-auto-rows:minmax(22px,auto)}
.month fieldset:after{content:"";grid-area:2/1}
.bars i,.bars label{--p:calc((100% + var(--g))/var(--n));--bar:var(--goodBar);border-radius:1px;
background:repeating-linear-gradient(90deg,var(--bar) 0 calc(var(--p) - var(--g)),transparent 0 var(--p));
forced-color-adjust:none;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.bars label{--n:1;cursor:pointer}
.bars .slow{background:linear-gradient(var(--slowBar) 58%,transparent 58% 66%,var(--slowBar) 66%)}
.bars .bad{background:linear-gradient(var(--badBar) 20%,transparent 20% 28%,var(--badBar) 28%)}
.bars .none{background:linear-gradient(var(--bg) 75%,transparent 75%),
repeating-linear-gradient(90deg,var(--rest) 0 calc(var(--p) - var(--g)),transparent 0 var(--p))}
.d60{--d:60}
.d30{--d:30}
.older{display:contents}
.recent{display:none}
.bars .inc,.key:before{box-shadow:inset 0 5px var(--ink),inset 0 7px var(--bg)}
.bars input{position:absolute;inset:0 0 auto;width:100%;height:var(--h);margin:0;opacity:0;pointer-events:none}
.bars label:is(:hover,:has(:checked,:focus-visible)){outline:2px solid var(--ink)}
.bars b{position:absolute;z-index:1;inset:calc(var(--h) + 3px) 0 auto;padding:1px 0 3px;min-height:22px;opacity:0;
color:var(--ink);font-weight:400;font-style:normal;font-size:13px;line-height:18px;text-align:center;background:var(--bg);pointer-events:none}
.bars :is(:hover,:has(>:checked,>:focus-visible))>b{opacity:1}
.bars fieldset:hover :not(:hover)>b,.bars fieldset:has(:focus-visible) :not(:hover,:has(>:focus-visible))>b{opacity:0}
.bars:has([open]) label{display:contents}
.bars:has([open]) label:before{content:"";border-radius:1px;background:inherit;box-shadow:inherit;outline:inherit}
.bars:has([open]) label>b{order:1;grid-column:1/-1;position:static;padding:0 0 2px;min-height:0;opacity:1!important;color:var(--muted);text-align:left}
.bars:has([open]) label:is(:hover,:has(:checked,:focus-visible))>b{color:var(--ink)}
.bars:has(:checked){--t:24px}
${SPANS}
.scale,.issues{grid-area:2/1/auto/-1}
.scale{display:flex;justify-content:space-between;margin-top:var(--t);padding:4px 0 3px;font-size:13px;line-height:18px;color:var(--muted)}
.response p{font-size:13px;color:var(--muted);font-variant-numeric:tabular-nums;margin-top:6px}
.response svg{display:block;width:100%;height:40px;margin:4px 0;border-bottom:1px solid var(--line)}
.response path{fill:none;stroke:var(--accent);stroke-width:1.5;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.response .p95{stroke:var(--muted);stroke-dasharray:2 2;stroke-width:1}
details{margin-top:12px;font-size:14px;color:var(--muted)}
summary{cursor:pointer;width:fit-content;padding:2px 0}
details>p{margin-top:6px;max-width:75ch}
.group{margin-top:24px;font-size:15px;color:var(--ink)}
h2+.group{margin-top:0}
.group>p{margin:2px 0 0;color:var(--muted);font-size:14px;max-width:75ch}
.group>.row{padding:4px 20px 4px 0;width:auto}
.group>summary.row{list-style:none;padding-left:22px;position:relative}
.group>summary::-webkit-details-marker{display:none}
.group>summary:before{content:"";position:absolute;left:4px;top:11px;width:7px;height:7px;border:solid var(--muted);border-width:0 2px 2px 0;rotate:-45deg}
.group[open]>summary:before{rotate:45deg;top:9px}
.group>.list{margin-top:10px}
details.issues{margin-top:var(--t);font-size:13px;line-height:18px}
.issues[open]{padding-bottom:6px}
.issues summary{position:relative;margin:0 auto;padding:3px 8px}
.key:before{content:"";display:inline-block;width:7px;height:14px;margin:0 6px 0 14px;border-radius:1px;background:var(--rest);vertical-align:-2px}
.line{padding:10px 0;border-top:1px solid var(--line)}
.line .facts{margin-left:24px}
.line+p,.empty+p{margin-top:12px;font-size:14px}
.empty{padding:14px 20px;color:var(--muted)}
.wide{overflow-x:auto;border:1px solid var(--line);border-radius:10px}
table{width:100%;border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:7px 12px;text-align:right;white-space:nowrap;font-weight:400}
td small{display:block;color:var(--muted)}
thead a{color:var(--muted);text-decoration:none}
thead a:hover{color:var(--accent);text-decoration:underline}
.part th{padding-top:12px;font-weight:600;color:var(--muted)}
tbody tr{border-top:1px solid var(--line)}
th:first-child{position:sticky;left:0;padding-left:20px;background:var(--bg);text-align:left}
thead th:first-child{color:var(--muted)}
tbody th{min-width:120px;max-width:240px;white-space:normal;font-weight:500}
.months{display:grid;grid-template-columns:1fr auto 1fr;gap:12px;align-items:baseline}
.months h2{font-size:20px}
.months :last-child{text-align:right}
main>#fresh{color:var(--muted);font-size:14px;margin-top:8px;font-variant-numeric:tabular-nums}
.months+#fresh{text-align:center}
#incident>h2{font-size:20px;margin-bottom:4px}
#incident .updates{margin:16px 0 24px 4px}
#incident>.text{margin-top:12px}
#postmortem>h2{margin:0}
.post{max-width:75ch}
.post>*{margin-top:12px}
.post :is(h3,h4,h5){margin-top:20px}
.post p{white-space:pre-line}
.post :is(ol,ul){padding-left:24px;list-style:disc}
.post ol{list-style:decimal}
.post blockquote{margin-inline:0;padding-left:14px;border-left:3px solid var(--line);color:var(--muted)}
.post :is(pre,code){font:13px/1.5 ui-monospace,Menlo,Consolas,monospace}
.post pre{padding:12px;border:1px solid var(--line);border-radius:6px;white-space:pre-wrap}
main>p{margin-top:12px}
main>#announcement{margin:0 0 16px;padding:12px 16px;border:1px solid var(--accent);border-left-width:4px;border-radius:10px}
#announcement+*{margin-top:0}
footer{display:flex;flex-wrap:wrap;gap:8px 24px;justify-content:space-between;margin-top:48px;padding:16px 0 40px;
border-top:1px solid var(--line);font-size:14px}
footer [aria-current]{color:var(--ink);font-weight:500}
footer p{display:flex;flex-wrap:wrap;gap:4px 16px}
footer p a{color:var(--muted);text-decoration:none}
.by{flex-basis:100%;color:var(--muted);font-size:13px}
.pharos-stale{margin-bottom:16px;padding:10px 14px;border:1px solid var(--slow);border-radius:10px;background:var(--slowWash)}
[method=post],search form{display:flex;flex-wrap:wrap;gap:8px 12px;margin-top:16px}
search form{margin:0 0 28px}
[method=post] label{flex-basis:100%;font-weight:500}
[type=email],[type=url],[type=search],[type=password]{flex:1 1 220px;max-width:420px;min-width:0;padding:9px 12px;border:1px solid var(--muted);border-radius:6px;font:inherit;color:inherit;background:var(--bg)}
:is([method=post],search) button{padding:9px 16px;border:1px solid var(--accent);border-radius:6px;font:inherit;font-weight:600;color:var(--bg);background:var(--accent);cursor:pointer}
[method=post] .bad{flex-basis:100%}
[method=post] .second{background:none;color:var(--accent)}
[method=post] fieldset{flex-basis:100%;min-width:0;margin:8px 0;padding:0;border:0}
[method=post] legend{padding:0 0 4px;font-weight:500}
[method=post] fieldset label{display:flex;gap:10px;align-items:baseline;padding:3px 0;font-weight:400}
[method=post] :is([type=radio],[type=checkbox]){flex:none;margin:0;accent-color:var(--accent)}
[method=post] ul{margin:4px 0 0 26px}
[method=post] ul>li:first-child:not(:has(input)){margin-top:8px;color:var(--muted);font-size:14px}
[method=post] :has([value=all]:checked) ul{display:none}
[method=post] :has([value=email]:checked)+.endpoint{display:none}
.endpoint{display:flex;flex-wrap:wrap;gap:8px 12px;flex-basis:100%;margin-bottom:8px}
.endpoint p{flex-basis:100%;color:var(--muted);font-size:14px}
#subscription code{overflow-wrap:anywhere}
[method=post] select{flex:0 1 260px;min-width:0;padding:9px 12px;border:1px solid var(--muted);border-radius:6px;font:inherit;color:inherit;background:var(--bg)}
#subscription{max-width:75ch}
#subscription h2{font-size:20px}
#subscription h2~h2{margin-top:36px;font-size:16px}
.secret{margin:16px 0;padding:12px 16px;border:1px solid var(--line);border-radius:10px}
.plain{padding:96px 0}
.plain p{margin-top:6px}.plain p:not(.bad){color:var(--muted)}
@media(max-width:700px){
body{padding:0 16px}
header nav a,footer a,.months a{padding:11px 0}
nav .act{padding:11px 12px}
:is(button,select,summary,[type=email],[type=url],[type=search],[type=password],[method=post] fieldset label){min-height:44px}
summary{align-content:center}
thead a{display:block;padding:14px 0}
:is(h1,h3) a,p a:only-child{position:relative}
:is(h1,h3) a:after,p a:only-child:after{content:"";position:absolute;inset:calc(50% - 22px) 0}
header{padding-top:24px;row-gap:12px}
.banner,.card{padding:16px}
.list>li{padding:14px 14px 10px;contain-intrinsic-height:auto 106.5px}
.list:not(.month)>li:has(.issues:not(.whole)){contain-intrinsic-height:auto 147.5px}
.list>.component{contain-intrinsic-height:auto 41px}
.whole,.older{display:none}
.recent{display:inline}
.month>li{contain-intrinsic-height:auto 118px}
.bars{--g:3px;--d:30}
.month .bars{--h:30px}
.list:not(.month) .issues{grid-row:3}
.list .row :is(h3,h4){flex-basis:100%}
.list.month .row :is(h3,h4){flex-basis:40%}
.row{justify-content:space-between}
.uptime{order:3;text-align:left}
.list .state{justify-content:flex-start}
.group>.row{padding-right:0}
.list:not(.month) .issues{margin-top:-3px}
.scale{margin-top:calc(var(--t) - 3px)}
.issues summary{margin:0;padding:3px 0}
.months{grid-template-columns:1fr 1fr}
.months h2{grid-column:1/3;grid-row:1}
}
@media print{
.skip,header nav,header:before,footer,details:not(.group){display:none}
body{max-width:none;padding:0;font-size:11px}
header{padding:0 0 12px}
main>section,main>ul{margin-top:16px}
.list>li,.card,.line,.banner{break-inside:avoid}
.list>li{padding:8px 12px 4px}
h3{font-size:12px}
.bars{--h:18px}
.bars fieldset{margin-top:4px}
.facts,.card .facts,.updates time,.uptime,.state,.scale,.banner p,.response p,.empty{font-size:inherit}
main #fresh[title]{font-size:0}
#fresh[title]:after{content:attr(title);font-size:11px}
}
`
  .trim()
  .replaceAll('\n', '');
