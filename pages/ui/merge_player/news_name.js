// The name under which the film's second component leaves what the server counted, and tells of it.
const NEWS = "bpeFilmNews";
