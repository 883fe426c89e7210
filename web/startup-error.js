/**
 * Says in words why the page does not come, where its first sentence stands ([data-why]).
 *
 * A classic script, because every browser runs those from everywhere: modules do not start from a
 * file, in a sandboxed frame, in an old browser, or where the host sends them under another type.
 */
{
  const SLOW = 4000; // ms until the page says how much of it has come
  const FILE =
    "This page was opened as a file, and browsers start a page’s programs only from a web address. " +
    "Put its folder on any web host; on this computer, run “python3 -m http.server” in that folder and open http://localhost:8000/.";
  const OLD = "This browser is too old for Cluewise: it does not know JavaScript modules. A newer one helps.";
  const SANDBOX =
    "This page is shown in a frame that keeps it apart from its own site (sandbox without allow-same-origin), so that its programs cannot be fetched. It works when opened by itself: ";
  const OFFLINE =
    "This device is offline, and the page has not been kept here yet. Load it again with a line.";
  const AGAIN = "Part of the page could not be fetched. Load it again.";

  const place = () => document.querySelector("[data-why]");
  let said = false;

  /** @param {string} sentence @param {string} [address] that is to be opened */
  const say = (sentence, address) => {
    const there = place();
    if (!there || said) return;
    said = true;
    there.textContent = sentence;
    there.setAttribute("role", "alert");
    if (!address) return;
    const link = Object.assign(document.createElement("a"), { href: address, target: "_blank" });
    link.textContent = address.replace(/#.*$/, "");
    there.append(link);
  };

  /** What is wrong with this script as the host sends it, or "". @param {string} address */
  const wrong = async (address) => {
    const name = address.slice(new URL("./", document.baseURI).href.length);
    const answer = await fetch(address);
    const type = (answer.headers.get("Content-Type") || "no type").split(";")[0].trim();
    if (answer.status === 404)
      return `${name} is not there (the site answers 404). Was every file of the page uploaded, also those in folders?`;
    if (!answer.ok)
      return `${name} could not be fetched: the site answers ${answer.status}. Load the page again.`;
    if (/^(text|application)\/(x-)?(java|ecma)script$/.test(type)) return "";
    return `The site sends ${name} as “${type}”, which browsers do not run: it has to send .js files as text/javascript.`;
  };

  /** The scripts that were asked for are asked for again, since browsers keep the reason to themselves. */
  const explain = async () => {
    if (location.protocol === "file:") return say(FILE);
    if (self.origin === "null") return say(SANDBOX, document.URL);
    if (!navigator.onLine) return say(OFFLINE);
    try {
      const asked = performance.getEntriesByType("resource").map((entry) => entry.name);
      const named = [...document.scripts].map((script) => script.src);
      for (const address of new Set([...named, ...asked])) {
        const sentence = /\.js$/.test(address) && (await wrong(address));
        if (sentence) return say(sentence);
      }
    } catch {
      // reported as what could not be fetched
    }
    return say(AGAIN);
  };

  /** @param {Event} event */
  const onError = (event) => {
    if (event.target instanceof HTMLScriptElement) explain();
    else if (event instanceof ErrorEvent)
      say(`A mistake in Cluewise itself stopped this page (${event.message}).`);
  };

  const stillComing = () => {
    const there = place();
    if (!there || said) return;
    const count = performance.getEntriesByType("resource").length;
    there.textContent = `Still fetching the page: ${count} files are here. The line is slow, or the site is.`;
    setTimeout(stillComing, 1000);
  };

  addEventListener("error", onError, true);
  addEventListener("DOMContentLoaded", () => {
    document.querySelector(".late")?.remove(); // for where not even this script runs
    if (!("noModule" in HTMLScriptElement.prototype)) say(OLD);
    setTimeout(stillComing, SLOW);
  });
}
