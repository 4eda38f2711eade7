/** Sounds, made on the spot: short taps of filtered noise and two tones, so that there is no file to load. */
import { isBoolean, remembered } from '../ui/remembered.svelte';

export const sound = remembered('sound', true, isBoolean);

export type Sound = 'move' | 'capture' | 'check' | 'illegal' | 'end';

let context: AudioContext | undefined;

export function play(name: Sound): void {
  if (!sound.value) return;
  try {
    context ??= new AudioContext();
    // Before the first click a browser keeps pages silent; sounds from then are not kept for later.
    if (context.state === 'suspended') {
      void context.resume();
      return;
    }
    SOUNDS[name](context);
  } catch {
    // A machine without sound plays chess all the same.
  }
}

const SOUNDS: Record<Sound, (audio: AudioContext) => void> = {
  move: (audio) => tap(audio, 0, 900, 0.5),
  capture: (audio) => {
    tap(audio, 0, 1300, 0.6);
    tap(audio, 0.045, 700, 0.5);
  },
  check: (audio) => {
    tap(audio, 0, 900, 0.5);
    tone(audio, 0.03, 740, 0.12);
  },
  illegal: (audio) => tone(audio, 0, 160, 0.14),
  end: (audio) => {
    tone(audio, 0, 523, 0.3);
    tone(audio, 0.14, 392, 0.45);
  },
};

/** A piece put down: a burst of noise through a band, dying away within 60 ms. */
function tap(audio: AudioContext, delay: number, frequency: number, volume: number): void {
  const length = Math.round(audio.sampleRate * 0.06);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < length; index += 1) {
    samples[index] = (Math.random() * 2 - 1) * (1 - index / length) ** 4;
  }
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const band = audio.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.value = frequency;
  const gain = audio.createGain();
  gain.gain.value = volume;
  source.connect(band).connect(gain).connect(audio.destination);
  source.start(audio.currentTime + delay);
}

function tone(audio: AudioContext, delay: number, frequency: number, seconds: number): void {
  const start = audio.currentTime + delay;
  const source = audio.createOscillator();
  source.type = 'triangle';
  source.frequency.value = frequency;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(0.12, start + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  source.connect(gain).connect(audio.destination);
  source.start(start);
  source.stop(start + seconds);
}
