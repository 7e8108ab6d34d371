// The connection: which page is in control, and the address for other devices.

import type { App, Close } from '../app'
import { closeAll } from '../listeners'
import { button, el, row, section, setText } from './dom'

export function setUpShare(app: App): Close {
  const body = app.shell.panel({ id: 'share', title: 'Connection', icon: 'link', side: 'left' })
  const state = el('p', { role: 'status', 'data-id': 'connection-state' })
  const holder = el('p', { role: 'status', 'data-id': 'holder' })
  const take = button('Take control', () => void app.control.ask(true), {
    class: 'primary',
    id: 'share-take',
  })
  const give = button('Hand it over', () => app.control.give(), {
    id: 'share-give',
    title: 'Let go, so that somebody else can drive',
  })
  const address = el('div', { 'data-id': 'lan' })
  body.append(
    section('Control', {}, holder, row(take, give)),
    section('Open on a headset or phone', {}, address),
    section('This page', {}, state),
  )
  const show = () => {
    const { welcome, client } = app.connection
    const words = {
      connecting: 'Connecting…',
      open: `Connected to “${welcome?.room ?? 'the room'}” as ${client}.`,
      lost: 'The connection is lost; trying again…',
    }
    setText(state, words[app.connection.state])
    const isMine = app.control.isMine
    setText(
      holder,
      isMine
        ? 'You are driving.'
        : app.control.holder
          ? `${app.control.holder} is driving; you are watching.`
          : 'Nobody is driving.',
    )
    take.hidden = isMine
    give.hidden = !isMine
  }
  const showAddress = () => address.replaceChildren(...addressParts(app))
  show()
  showAddress()
  return closeAll([
    app.control.onChange(show),
    app.connection.onState(() => {
      show()
      showAddress()
    }),
    app.connection.on('welcome', () => {
      show()
      showAddress()
    }),
  ])
}

function addressParts(app: App): Node[] {
  const { lan, lan_qr: qr } = app.connection.welcome ?? { lan: '', lan_qr: '' }
  if (!lan) {
    return [
      el(
        'p',
        { class: 'p-hint' },
        'This room is open to this machine only. To let others in, start it with',
      ),
      el('code', { class: 'p-code' }, 'robotix run --lan'),
    ]
  }
  const copy = () =>
    void navigator.clipboard?.writeText(lan).then(() => app.shell.toast('The address was copied.'))
  return [
    el(
      'p',
      { class: 'p-hint' },
      'In the same network, open this address or point a camera at it. The browser warns once: the certificate was made on this machine.',
    ),
    el('img', { class: 'p-qr', src: qr, alt: `QR code of ${lan}` }),
    row(el('code', { class: 'p-code p-grow' }, lan), button('Copy', copy, { id: 'copy-lan' })),
  ]
}
