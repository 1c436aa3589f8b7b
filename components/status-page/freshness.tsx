import { WithMoment } from './maintenance-card';
import { MOMENT, type Translator } from './translator';

/** How often an open page is refreshed. */
const REFRESH_SECONDS = 15;

/**
 * The page's only script, as it is sent. Every few seconds it fetches the page again (conditionally, by ETag) and replaces
 * <main>: focused, checked and open elements are found again by the nearest id above them, and the scroll position is kept.
 * An announcement is removed when it ends. A changed headline is announced through `#live`. Times are shown in the visitor's time zone, with UTC in their titles; those that have a
 * title, because the page has a time zone, get the visitor's in front of it.
 */
export const REFRESH_SCRIPT = `(d=>{
let v,ok=1,at=Date.now(),$=i=>d.getElementById(i),g=d.documentElement.lang,
L=new Intl.DateTimeFormat(g,${JSON.stringify(MOMENT)}),R=new Intl.RelativeTimeFormat(g),
show=()=>{let f=$('fresh'),s=-Math.round((Date.now()-at)/1e3),b=$('announcement');b&&new Date(b.dataset.ends)<Date.now()&&b.remove();f.title=L.format(at);
f.textContent=ok?f.dataset.updated.replace('{ago}',s>-60?R.format(s,'second'):R.format(Math.ceil(s/60),'minute')):f.dataset.stale.replace('{time}',L.format(at))},
local=()=>{for(let x of d.querySelectorAll('time[datetime*=T]')){let s=L.format(new Date(x.dateTime));
x.title?x.title=s+' · '+x.title:(x.title=x.textContent,x.textContent=s)}},
swap=n=>{let m=$('main'),q=n.getElementById('main'),h=x=>x.querySelector('h2').textContent,top=x=>x.getBoundingClientRect().top,
k=[...m.querySelectorAll(':focus,:checked,[open]')].map(x=>{let p=x.closest('[id]');return[p.id,[...p.querySelectorAll('*')].indexOf(x),x==d.activeElement]}),
a=[...m.querySelectorAll('[id]')].find(x=>top(x)>0),y=a&&top(a);
if(h(m)!=h(q))$('live').textContent=h(q);
m.replaceWith(q);d.title=n.title;d.querySelector('[rel=icon]').href=n.querySelector('[rel=icon]').href;local();
for(let[i,j,f]of k){let x=$(i);x=x&&j>=0?x.querySelectorAll('*')[j]:x;if(x){x.open=x.checked=true;f&&x.focus({preventScroll:true})}}
a=a&&scrollY&&$(a.id);a&&scrollBy(0,top(a)-y)},
load=async()=>{if(!d.hidden)try{let r=await fetch(location,{cache:'no-cache'}),e=r.headers.get('etag');if(!r.ok)throw 0;
if(e!=v)swap(new DOMParser().parseFromString(await r.text(),'text/html'));v=e;ok=1;at=Date.now()}catch{ok=0}show()};
local();show();setInterval(show,1e3);setInterval(load,${REFRESH_SECONDS}e3);d.addEventListener('visibilitychange',load)
})(document)`;

/** Where `Freshness` is in a document. */
export const FRESHNESS_MARKS = { start: '<p id="fresh"', end: '</p>' };

/** The age of the data. The page's script keeps it up to date, with the texts of the data attributes. */
export function Freshness({ asOf, t }: { asOf: string; t: Translator }) {
  const { asOf: text, updated, stale } = t.messages;
  return (
    <p id="fresh" data-updated={updated} data-stale={stale}>
      <WithMoment text={text} at={asOf} t={t} />
    </p>
  );
}
