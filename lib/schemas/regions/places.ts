/** Cities by country, for the places of own regions. The ID of a place is its city: `new-york`. Never rename one. */
const CITIES = {
  Argentina: ['Buenos Aires'],
  Australia: ['Brisbane', 'Melbourne', 'Perth', 'Sydney'],
  Austria: ['Vienna'],
  Bahrain: ['Manama'],
  Bangladesh: ['Dhaka'],
  Belgium: ['Brussels'],
  Brazil: ['Brasília', 'Fortaleza', 'Rio de Janeiro', 'São Paulo'],
  Bulgaria: ['Sofia'],
  Canada: ['Calgary', 'Montreal', 'Toronto', 'Vancouver'],
  Chile: ['Santiago'],
  China: ['Beijing', 'Guangzhou', 'Hong Kong', 'Shanghai', 'Shenzhen'],
  Colombia: ['Bogotá'],
  Croatia: ['Zagreb'],
  Czechia: ['Prague'],
  Denmark: ['Copenhagen'],
  Egypt: ['Cairo'],
  Estonia: ['Tallinn'],
  Finland: ['Helsinki'],
  France: ['Lyon', 'Marseille', 'Paris'],
  Germany: [
    'Berlin',
    'Düsseldorf',
    'Falkenstein',
    'Frankfurt',
    'Hamburg',
    'Munich',
    'Nuremberg',
    'Stuttgart',
  ],
  Greece: ['Athens'],
  Hungary: ['Budapest'],
  Iceland: ['Reykjavík'],
  India: ['Bengaluru', 'Chennai', 'Delhi', 'Hyderabad', 'Kolkata', 'Mumbai'],
  Indonesia: ['Jakarta'],
  Ireland: ['Dublin'],
  Israel: ['Tel Aviv'],
  Italy: ['Milan', 'Rome'],
  Japan: ['Osaka', 'Tokyo'],
  Kazakhstan: ['Almaty'],
  Kenya: ['Nairobi'],
  Latvia: ['Riga'],
  Lithuania: ['Vilnius'],
  Luxembourg: ['Luxembourg'],
  Malaysia: ['Kuala Lumpur'],
  Mexico: ['Mexico City', 'Querétaro'],
  Morocco: ['Casablanca'],
  Netherlands: ['Amsterdam', 'Rotterdam'],
  'New Zealand': ['Auckland'],
  Nigeria: ['Lagos'],
  Norway: ['Oslo'],
  Pakistan: ['Karachi'],
  Peru: ['Lima'],
  Philippines: ['Manila'],
  Poland: ['Warsaw'],
  Portugal: ['Lisbon'],
  Qatar: ['Doha'],
  Romania: ['Bucharest'],
  'Saudi Arabia': ['Jeddah', 'Riyadh'],
  Serbia: ['Belgrade'],
  Singapore: ['Singapore'],
  Slovakia: ['Bratislava'],
  Slovenia: ['Ljubljana'],
  'South Africa': ['Cape Town', 'Johannesburg'],
  'South Korea': ['Busan', 'Seoul'],
  Spain: ['Barcelona', 'Madrid'],
  Sweden: ['Stockholm'],
  Switzerland: ['Geneva', 'Zurich'],
  Taiwan: ['Taipei'],
  Thailand: ['Bangkok'],
  Turkey: ['Istanbul'],
  Ukraine: ['Kyiv'],
  'United Arab Emirates': ['Abu Dhabi', 'Dubai'],
  'United Kingdom': ['Edinburgh', 'London', 'Manchester'],
  'United States': [
    'Ashburn',
    'Atlanta',
    'Boston',
    'Chicago',
    'Columbus',
    'Dallas',
    'Denver',
    'Honolulu',
    'Houston',
    'Las Vegas',
    'Los Angeles',
    'Miami',
    'Minneapolis',
    'New York',
    'Phoenix',
    'Portland',
    'Salt Lake City',
    'San Francisco',
    'Seattle',
    'Washington',
  ],
  Vietnam: ['Hanoi', 'Ho Chi Minh City'],
} as const;

type Place = { id: string; city: string; country: string };

/** The cities in which own regions can be, by name. */
export const PLACES: readonly Place[] = Object.entries(CITIES)
  .flatMap(([country, cities]) => cities.map((city) => ({ id: toId(city), city, country })))
  .toSorted((a, b) => (a.id < b.id ? -1 : 1));

function toId(city: string): string {
  return city.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '-');
}

/** `Berlin, Germany`; only `Singapore` for a city that is a country. The ID itself for a place that is not on the list. */
export function formatPlace(id: string): string {
  const place = PLACES.find((each) => each.id === id);
  if (place === undefined) return id;
  return place.city === place.country ? place.city : `${place.city}, ${place.country}`;
}

/** The place that `formatPlace` shows as a text, in any case; or with this ID. */
export function findPlace(text: string): Place | undefined {
  const wanted = text.trim().toLowerCase();
  return PLACES.find(({ id }) => id === wanted || formatPlace(id).toLowerCase() === wanted);
}
