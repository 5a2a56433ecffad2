/** The web app manifest, which the build renders for each language. */
import { type Language, shellStrings, strings } from '../text/strings.js'

/** Colours of the bar at the top, the same as in ui/tokens.css. */
export const THEME_COLOURS = { light: '#ffffff', dark: '#171d20' } as const
const GROUND = '#f7f6f2'

/** Addresses of the icons. The system may cut the maskable one to any shape. */
export interface AppIcons {
  small: string
  large: string
  maskable: string
  vector: string
}

export function appManifest(lang: Language, icons: AppIcons): string {
  const t = shellStrings[lang]
  const { brand, title } = strings[lang]
  const inLanguage = (path: string) => `${path}?lang=${lang}`
  const shortcut = (name: string, path: string) => ({ name, url: inLanguage(path), icons: [png(icons.small, 192)] })
  const manifest = {
    // the same id in both languages, because it is one app
    id: '/',
    name: `${brand}: ${title}`,
    short_name: brand,
    description: t.description,
    lang,
    dir: lang === 'ar' ? 'rtl' : 'ltr',
    start_url: inLanguage('/'),
    scope: '/',
    display: 'standalone',
    background_color: GROUND,
    theme_color: THEME_COLOURS.light,
    icons: [
      { src: icons.vector, type: 'image/svg+xml', sizes: 'any' },
      png(icons.small, 192),
      png(icons.large, 512),
      { ...png(icons.maskable, 512), purpose: 'maskable' },
    ],
    shortcuts: [shortcut(t.navSearch, '/'), shortcut(t.navBrowse, '/browse'), shortcut(t.navShipment, '/shipment')],
  }
  return JSON.stringify(manifest)
}

const png = (src: string, size: number) => ({ src, type: 'image/png', sizes: `${size}x${size}` })
