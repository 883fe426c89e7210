/**
 * Shows why the page does not start, in the element [data-why].
 *
 * A classic script, because modules do not start from a file, in a sandboxed frame, in an old browser,
 * or if the host sends them with a wrong type.
 */
{
  const SLOW = 4000; // ms until the page shows the number of files loaded
  const FILE =
    "This page was opened as a file, but browsers start its scripts only from a web address. " +
    "Copy its folder to any web host. On this computer, run “python3 -m http.server” in that folder and open http://localhost:8000/.";
  const OLD =
    "This browser is too old for Cluewise: it does not support JavaScript modules. Update it or use another one.";
  const SANDBOX =
    "This page cannot load its scripts in this frame (sandbox without allow-same-origin). Open it directly: ";
  const OFFLINE =
    "This device is offline, and this browser has no copy of the page yet. Go online and load it again.";
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

  /** The fault of a script as the host sends it, or "". @param {string} address */
  const wrong = async (address) => {
    const name = address.slice(new URL("./", document.baseURI).href.length);
    const answer = await fetch(address);
    const type = (answer.headers.get("Content-Type") || "no type").split(";")[0].trim();
    if (answer.status === 404)
      return `${name} is missing (the site answers 404). Upload every file of the page, including those in folders.`;
    if (!answer.ok)
      return `${name} could not be fetched: the site answers ${answer.status}. Load the page again.`;
    if (/^(text|application)\/(x-)?(java|ecma)script$/.test(type)) return "";
    return `The site sends ${name} as “${type}”, which browsers do not run. The host must send .js files as text/javascript.`;
  };

  /** Requests all scripts again, since a script's error event does not give the reason. */
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
      // reported as AGAIN
    }
    return say(AGAIN);
  };

  /** @param {Event} event */
  const onError = (event) => {
    if (event.target instanceof HTMLScriptElement) explain();
    else if (event instanceof ErrorEvent) say(`An error in Cluewise stopped this page (${event.message}).`);
  };

  const stillComing = () => {
    const there = place();
    if (!there || said) return;
    const count = performance.getEntriesByType("resource").length;
    there.textContent = `Still loading: ${count} files so far. Your connection or the site is slow.`;
    setTimeout(stillComing, 1000);
  };

  addEventListener("error", onError, true);
  addEventListener("DOMContentLoaded", () => {
    document.querySelector(".late")?.remove(); // shown only if this script does not run
    if (!("noModule" in HTMLScriptElement.prototype)) say(OLD);
    setTimeout(stillComing, SLOW);
  });
}
