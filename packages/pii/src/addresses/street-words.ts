const set = (text: string) => new Set(text.trim().split(/\s+/));

/** The last word of an English street. After a number and a name these words rarely mean anything else. */
export const sureSuffixes = set(`street st avenue ave av road rd lane ln drive dr boulevard blvd court ct terrace ter crescent cres close
  parkway pkwy highway hwy circle cir turnpike tpke expressway`);
/** Suffixes with many other meanings: they need a town, a postcode or a label. */
export const perhapsSuffixes =
  set(`square sq place pl way trail trl row loop alley plaza mews gardens grove hill view rise walk path pike run point pt
  bend ridge crossing xing cove heights hts green park gate wharf quay esplanade freeway parade landing manor meadow meadows valley vista terr
  broadway station stream streets spur branch island ranch mill mills hills haven hollow garden glen fields forest common commons bridge brook
  causeway center centre cliff club corner course creek dale estate estates extension falls ferry field flat ford fork fort harbor harbour inlet
  junction key knoll lake lakes light lodge mall mission mount mountain neck orchard oval overpass pass passage pine pines plain port prairie
  ramp rapid rest river route shoal shore shores skyway spring springs summit throughway trace track tunnel union viaduct village ville vista walks
  wall well wells approach`);

/** Endings of German, Dutch and Nordic streets: "Lindenstraße". */
export const compoundEndings =
  /(?:stra[sß]s?e|str\.?|weg|platz|allee|gasse|damm|ufer|markt|ring|straat|laan|plein|gracht|kade|singel|dijk|steeg|dreef|plantsoen|baan|gatan|vägen|gade|vej|katu|veien|utca|pad|hof|steig|chaussee|graben|berg|stieg|twiete|kamp|park|plaats|berge)$/i;
/** The endings that are certain without more context. The others also end other words. */
export const sureCompoundEndings =
  /(?:stra[sß]s?e|str\.?|platz|allee|gasse|straat|laan|plein|gracht|kade|gatan|vägen|katu|weg|damm|plantsoen|steeg)$/i;

/** The first word of a street, before its name: French, Spanish, Italian, Portuguese. */
export const frenchWords =
  set(`rue avenue av av. ave boulevard bd bd. bld chemin place pl pl. allée allee allées impasse quai route rte cours square
  passage faubourg ruelle villa sentier cité promenade rond-point esplanade voie montée lotissement résidence hameau chaussée`);
export const romanceWords =
  set(`calle c/ c. avenida avda avda. av av. paseo pº plaza pza pza. ronda camino carretera ctra ctra. travesía travesia rambla
  glorieta vía callejón cuesta urbanización polígono calzada bulevar
  via viale v.le corso c.so piazza p.zza piazzale largo vicolo strada lungotevere lungomare lungarno contrada borgo salita traversa galleria calata
  rua r. travessa tv. praça praca pç. alameda al. estrada rodovia rod. beco calçada avenida quadra viela ladeira
  rue avenue boulevard chaussée place chemin quai carrer plaça passeig via rúa avinguda`);

export const states =
  set(`AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD
  TN TX UT VT VA WA WV WI WY DC PR GU VI AE AP AA FM MH MP PW AS
  AB BC MB NB NL NS NT NU ON PE QC SK YT NSW VIC QLD TAS ACT
  AC AM AP BA CE ES GO MG MS MT PB PI PR RJ RN RO RR RS SP SE TO DF`);

export const stateNames = new Set(
  `alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|
louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|
north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|
washington|west virginia|wisconsin|wyoming|district of columbia|ontario|quebec|british columbia|alberta|manitoba|saskatchewan|nova scotia|
new brunswick|new south wales|victoria|queensland|tasmania|south australia|western australia`
    .split('|')
    .map((name) => name.trim()),
);

export const countries = new Set(
  `usa|us|u.s.a.|u.s.|united states|united states of america|uk|u.k.|united kingdom|england|scotland|wales|northern ireland|great britain|ireland|canada|
australia|new zealand|germany|deutschland|austria|österreich|switzerland|schweiz|suisse|svizzera|france|spain|españa|italy|italia|portugal|brazil|brasil|
netherlands|the netherlands|nederland|belgium|belgië|belgique|luxembourg|denmark|sweden|norway|finland|poland|mexico|méxico|argentina|chile|colombia|
india|china|japan|south africa|turkey|greece|hungary|romania|croatia|slovenia|czech republic|estonia|latvia|lithuania|singapore|israel|uruguay|iceland|cyprus|malta|slovakia|bulgaria|serbia|ukraine|russia|philippines|indonesia|malaysia|thailand|vietnam|korea|
south korea|hong kong|taiwan|pakistan|egypt|morocco|nigeria|kenya|ghana|peru|venezuela|ecuador|costa rica|puerto rico|saudi arabia|united arab emirates|uae|qatar`
    .split('|')
    .map((name) => name.trim()),
);
