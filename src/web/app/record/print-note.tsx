/** Visible only in print: the date, the dataset and the address of the page. */
import { useEffect, useState } from 'preact/hooks'
import { withCountry } from '../data/country.js'
import { facts } from '../data/facts.js'
import { today } from '../text/today.js'
import { fillText } from '../text/written.js'
import { useSurroundings } from '../ui/surroundings.js'

export function PrintNote() {
  const { t } = useSurroundings()
  const [dataset, setDataset] = useState({ edition: '', version: '' })
  const [date, setDate] = useState(today)
  const [address, setAddress] = useState(addressNow)
  useEffect(() => {
    // the page may have been open since yesterday
    const write = () => {
      setDate(today())
      setAddress(addressNow())
    }
    window.addEventListener('beforeprint', write)
    void facts().then(setDataset)
    return () => window.removeEventListener('beforeprint', write)
  }, [])
  const isKnown = dataset.version !== ''
  return <p class="print-note">{isKnown ? fillText(t.printed, { date, address, ...dataset }) : `${date} · ${address}`}</p>
}

const addressNow = () => location.origin + withCountry(location.pathname)
