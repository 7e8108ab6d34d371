// `?emulate=quest3`: a headset made of software, for tests and for those who have none. Nothing of
// it is loaded otherwise.

/** Install the emulated headset, if the address asks for one, before XR is requested. */
export async function emulateHeadset(query: string): Promise<void> {
  if (new URLSearchParams(query).get('emulate') !== 'quest3') return
  const { metaQuest3, XRDevice } = await import('iwer')
  const device = new XRDevice(metaQuest3)
  device.installRuntime({ forceInstall: true })
  Object.assign(window, { xrDevice: device })
}
