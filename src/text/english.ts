/** Light English stemming: plurals and the two spellings. What a dictionary would need to know is left alone. */

/** Folded American forms of British words whose endings no rule below reaches. */
const AMERICAN = new Map<string, string>(
  Object.entries({
    aluminium: 'aluminum',
    tyre: 'tire',
    grey: 'gray',
    fibre: 'fiber',
    centre: 'center',
    litre: 'liter',
    metre: 'meter',
    theatre: 'theater',
    calibre: 'caliber',
    sabre: 'saber',
    colour: 'color',
    flavour: 'flavor',
    odour: 'odor',
    vapour: 'vapor',
    armour: 'armor',
    harbour: 'harbor',
    parlour: 'parlor',
    mould: 'mold',
    moulding: 'molding',
    moulded: 'molded',
    plough: 'plow',
    jewellery: 'jewelry',
    yoghurt: 'yogurt',
    yoghourt: 'yogurt',
    whisky: 'whiskey',
    cheque: 'check',
    chilli: 'chili',
    doughnut: 'donut',
    draught: 'draft',
    kerb: 'curb',
    liquorice: 'licorice',
    programme: 'program',
    pyjama: 'pajama',
    storey: 'story',
    tonne: 'ton',
    gramme: 'gram',
    kilogramme: 'kilogram',
    gauge: 'gage',
    axe: 'ax',
    cosy: 'cozy',
    catalogue: 'catalog',
    analogue: 'analog',
    defence: 'defense',
    licence: 'license',
    manoeuvre: 'maneuver',
    cigarette: 'cigaret',
    omelette: 'omelet',
    woollen: 'woolen',
    enamelled: 'enameled',
    labelled: 'labeled',
    modelling: 'modeling',
    travelling: 'traveling',
    skilful: 'skillful',
    caesium: 'cesium',
    paediatric: 'pediatric',
    anaesthetic: 'anesthetic',
    haemoglobin: 'hemoglobin',
    oestrogen: 'estrogen',
    foetal: 'fetal',
    carburettor: 'carburetor',
    mollusc: 'mollusk',
    fibreglass: 'fiberglass',
    fibreboard: 'fiberboard',
    aeroplane: 'airplane',
    moustache: 'mustache',
    disc: 'disk',
    tumeric: 'turmeric',
  }),
)

/** Plurals that no ending gives away. */
const SINGULAR = new Map<string, string>(
  Object.entries({
    feet: 'foot',
    teeth: 'tooth',
    geese: 'goose',
    mice: 'mouse',
    man: 'man',
    men: 'men',
    mens: 'men',
    woman: 'women',
    women: 'women',
    womens: 'women',
    ladies: 'women',
    lady: 'women',
    children: 'child',
    childrens: 'child',
    kids: 'child',
    oxen: 'ox',
    knives: 'knife',
    wives: 'wife',
    lives: 'life',
    leaves: 'leaf',
    loaves: 'loaf',
    halves: 'half',
    calves: 'calf',
    hooves: 'hoof',
    shelves: 'shelf',
    scarves: 'scarf',
    wolves: 'wolf',
    sheaves: 'sheaf',
    dice: 'die',
    dies: 'die',
    ties: 'tie',
    pies: 'pie',
    cookies: 'cookie',
    movies: 'movie',
    hoodies: 'hoodie',
    brownies: 'brownie',
    fungi: 'fungus',
    cacti: 'cactus',
    potatoes: 'potato',
    tomatoes: 'tomato',
    shoes: 'shoe',
    axes: 'axe',
    gases: 'gas',
    buses: 'bus',
    lenses: 'lens',
    lens: 'lens',
    series: 'series',
    species: 'species',
    gas: 'gas',
    bus: 'bus',
    molasses: 'molasses',
    glasses: 'glass',
    canoes: 'canoe',
    oboes: 'oboe',
    aloes: 'aloe',
    hoes: 'hoe',
    toes: 'toe',
    skis: 'ski',
    kiwis: 'kiwi',
    taxis: 'taxi',
    bikinis: 'bikini',
    cpus: 'cpu',
    gpus: 'gpu',
    menus: 'menu',
    tofus: 'tofu',
    emus: 'emu',
    mangoes: 'mango',
    gallows: 'gallows',
    chassis: 'chassis',
  }),
)

function singular(word: string): string {
  const known = SINGULAR.get(word)
  if (known !== undefined) return known
  const n = word.length
  if (n < 4 || !word.endsWith('s')) return word
  if (word.endsWith('ies')) return n > 4 ? `${word.slice(0, -3)}y` : word
  if (/(?:[sxz]|ch|sh)es$/.test(word)) {
    // "axes", "boxes", "dishes" lose es; "houses", "sizes", "blouses" lose s: the e belongs to the word
    if (/(?:[aeiou]s|[aeiouy]z|ns|rs|ps)es$/.test(word) && !/(?:us|ias|lens)es$/.test(word))
      return word.slice(0, -1)
    return word.slice(0, -2)
  }
  if (word.endsWith('oes')) return word.slice(0, -2)
  if (/(?:ss|us|is)$/.test(word)) return word
  return word.slice(0, -1)
}

/** Whether any of the replacements below may find something to replace: in most words none does. */
const BRITISH =
  /sulph|paed|^(?:haem|oeso|gynaec|anaes|fibre)|our(?:ed|ing|less|ful|ant)$|ll(?:ed|ing)$|[iy]s(?:e|ed|er|ing|ation)$/

/** Endings that differ between the two spellings whatever the word. */
function american(word: string): string {
  const known = AMERICAN.get(word)
  if (known !== undefined) return known
  if (word.length < 6 || !BRITISH.test(word)) return word
  return word
    .replace('sulph', 'sulf')
    .replace(/^haem/, 'hem')
    .replace(/^oeso/, 'eso')
    .replace('paed', 'ped')
    .replace(/^gynaec/, 'gynec')
    .replace(/^anaes/, 'anes')
    .replace(/our(ed|ing|less|ful|ant)$/, 'or$1')
    .replace(/^fibre/, 'fiber')
    .replace(/ll(ed|ing)$/, 'l$1')
    .replace(/is(e|ed|er|ing|ation)$/, 'iz$1')
    .replace(/ys(e|ed|er|ing)$/, 'yz$1')
}

export function englishStem(word: string): string {
  const stem = american(singular(word))
  // "polyesters" and "polyester", "knitted" and "knit" stay apart on purpose: only plurals are safe everywhere
  return stem
}
