// SPDX-License-Identifier: Apache-2.0
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;

/** Uses the page as a person does, in a real browser: driver, server, token, directory of the screenshots. */
public final class PageCheck {
    private static final List<Integer> WIDTHS = List.of(360, 1280, 2560);
    private static final List<String> COLOURS = List.of("light", "dark");
    private static final int LEAST_COLOURS = 12;
    private static final int FEW = 30;
    private static final int MANY = 5_000;
    private static final int MOST_MILLIS = 250;
    private static final int MOST_CLICKS = 3;
    private static final String ENTER = "\\uE007";
    private static final String ESCAPE = "\\uE00C";

    /** True if the window does not move sideways and no word in it is broken in the middle. */
    private static final String WORDS_ARE_WHOLE = """
            if (document.scrollingElement.scrollWidth > window.innerWidth) return 'moves sideways: ' + document.scrollingElement.scrollWidth;
            const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const range = document.createRange();
            while (texts.nextNode()) {
              const text = texts.currentNode;
              if (!text.parentElement.checkVisibility() || text.parentElement.closest('pre')) continue;
              for (const word of text.data.matchAll(/[A-Za-z0-9]+/g)) {
                range.setStart(text, word.index);
                range.setEnd(text, word.index + word[0].length);
                const lines = new Set([...range.getClientRects()].map((each) => Math.round(each.top)));
                if (lines.size > 1) return 'broken: ' + word[0];
              }
            }
            return true;""";

    private final Browser browser;
    private final Objects objects;
    private final String server;
    private final Path pictures;

    private PageCheck(Browser browser, String server, String token, Path pictures) throws Exception {
        this.browser = browser;
        this.objects = new Objects(server, token);
        this.server = server;
        this.pictures = pictures;
    }

    public static void main(String[] arguments) throws Exception {
        try (Browser browser = new Browser(arguments[0])) {
            new PageCheck(browser, arguments[1], arguments[2], Path.of(arguments[3])).use(arguments[2], arguments[4]);
            System.out.println(browser.passed() + " passed, 0 failed");
        }
    }

    private void use(String token, String link) throws Exception {
        logIn(token);
        seen("nothing", "document.getElementById('hint').textContent.includes('docs/examples/standalone.yaml')");
        explain();
        objects.volumes(0, FEW);
        browser.open(server + "/ui/#/volumes");
        browser.until("what looks like markup is shown as text", "return document.body.textContent.includes('/<img id=evil src=x>')"
                + " && document.getElementById('evil') === null");
        seen("few", "document.querySelectorAll('[data-table=volumes] tbody tr').length === " + (FEW + 2));
        picture();
        acts(token);
        detachByForce();
        browser.open(server + "/ui/#/");
        browser.until("the first view has the few", "return document.getElementById('counts').textContent.includes('32 volumes')");
        objects.volumes(FEW, MANY);
        browser.until("an open page follows what is made", "return document.getElementById('counts').textContent.includes('5,002 volumes')");
        seen("many", "document.getElementById('counts').textContent.includes('5,002 volumes')");
        map();
        lists();
        questions();
        logOut(link);
    }

    private void logIn(String token) throws Exception {
        browser.open(server + "/ui/");
        browser.until("the form asks for the token", "return !document.getElementById('login').hidden");
        browser.type("#token", "wrong");
        browser.click("#login button");
        browser.until("a wrong token is refused", "return document.getElementById('refused').textContent !== ''");
        browser.until("and shows nothing", "return document.getElementById('world').hidden");
        browser.type("#token", token);
        browser.click("#login button");
        browser.until("the token shows the page", "return !document.getElementById('world').hidden");
        browser.until("the script cannot see the cookie", "return document.cookie === ''");
    }

    private void explain() throws Exception {
        objects.make("/api/v1/persistentvolumes", """
                {"metadata":{"name":"nearly"},"spec":{"capacity":{"storage":"8589934591"},"accessModes":["ReadWriteOnce"],
                "nfs":{"server":"nfs.example.com","path":"/nearly"}}}""");
        objects.make("/api/v1/persistentvolumes", """
                {"metadata":{"name":"old"},"spec":{"capacity":{"storage":"8Gi"},"accessModes":["ReadWriteOnce"],
                "claimRef":{"namespace":"default","name":"yesterday","uid":"00000000-0000-4000-8000-00000000000b"},
                "nfs":{"server":"nfs.example.com","path":"/<img id=evil src=x>"}}}""");
        objects.make("/api/v1/namespaces/default/persistentvolumeclaims", """
                {"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"",
                "resources":{"requests":{"storage":"8Gi"}}}}""");
        browser.until("what waits comes first, by itself, with since when", "const line = [...document.querySelectorAll('#attention li')]"
                + ".find(each => each.textContent.includes('default/data')); return Boolean(line) && /Pending for \\d+ s/.test(line.textContent)");
        browser.until("a volume that is Released is there too",
                "return document.getElementById('attention').textContent.includes('Volume old Released')");
        browser.clickOn("default/data");
        browser.until("the explanation is there", "const why = document.getElementById('why-text');"
                + " return Boolean(why) && why.textContent.includes('is 1 byte short')");
        browser.until("its title has the focus", "return document.activeElement.id === 'object-title'");
        browser.until("its life is told with Mooring's rule in words", "const life = document.getElementById('life').textContent;"
                + " return life.includes('no volume fits, and the claim has no class (U8)') && life.includes('is made')"
                + " && life.includes('FailedBinding')");
        objects.make("/api/v1/persistentvolumes", """
                {"metadata":{"name":"nearer"},"spec":{"capacity":{"storage":"8Gi"},"accessModes":["ReadOnlyMany"],
                "nfs":{"server":"nfs.example.com","path":"/nearer"}}}""");
        browser.until("another object changes the explanation, without a click",
                "return document.getElementById('why-text').textContent.includes('nearer')");
        objects.delete("/api/v1/persistentvolumes/nearer");
        browser.until("and again", "return !document.getElementById('why-text').textContent.includes('nearer')");
        browser.key(ESCAPE);
        browser.until("Escape goes back, and the focus too", "return document.activeElement.textContent === 'default/data'");
        refusedExplanation();
    }

    /** The first question is refused. Of two others, the answer to the first comes last. */
    private void refusedExplanation() throws Exception {
        browser.ask("""
                const real = window.fetch;
                window.questions = 0;
                window.fetch = (url, ...more) => {
                  if (!String(url).includes('/ui/explain')) return real(url, ...more);
                  window.questions++;
                  return Promise.resolve(new Response('unavailable', { status: 503 }));
                };
                window.real = real;
                location.hash = '#/claims/default/data';""");
        browser.until("an explanation that is refused is not taken for one", "return window.questions > 0"
                + " && document.getElementById('why-text').textContent === 'There is no answer now. It is asked for again.'");
        browser.ask("window.fetch = window.real");
        browser.until("and is asked for again", "return document.getElementById('why-text').textContent.includes('is 1 byte short')");
        browser.ask("""
                import('/ui/object.js').then(async ({ ObjectView }) => {
                  const answers = [];
                  window.fetch = () => new Promise((answer) => answers.push(answer));
                  const shown = new ObjectView({ kind: 'claims', namespace: 'default', name: 'data' }, '#/');
                  shown.drawGraph = () => {};
                  shown.acts.draw = () => {};
                  const draw = (state) => shown.draw([{ row: { kind: 'claims', name: 'data', state }, labels: {}, life: [], begun: '',
                    version: state }]);
                  draw('Pending');
                  draw('Bound');
                  window.fetch = window.real;
                  for (const [at, text] of [[1, 'the newer'], [0, 'the older']]) {
                    answers[at](new Response(JSON.stringify({ text })));
                    await new Promise((soon) => setTimeout(soon, 50));
                  }
                  window.why = shown.why.textContent;
                }).catch((failure) => { window.why = String(failure); });""");
        browser.until("an answer that comes late does not replace a newer one", "return window.why === 'the newer'");
        browser.open(server + "/ui/#/");
    }

    /** A pod and what belongs to it, drawn and in words. */
    private void picture() throws Exception {
        objects.pod("web", "claim-0000");
        objects.pod("shop", "claim-0000");
        objects.pod("lost", "nothing");
        browser.open(server + "/ui/#/claims/default/claim-0000");
        String boxes = "const boxes = [...document.querySelectorAll('.graph a, .graph title')].map((each) => each.getAttribute('aria-label')"
                + " || each.textContent);";
        browser.until("a claim is drawn with its pods, volume, storage and node", boxes + " return ['Pod default/web, ', 'Pod default/shop, ',"
                + " 'Claim default/claim-0000, Bound', 'Volume volume-0000, Bound', 'Storage nfs nfs.example.com:/volume-0000', 'Node here, Ready']"
                + ".every((wanted) => boxes.some((each) => each.startsWith(wanted)))");
        browser.until("boxes do not lie upon each other", """
                const all = [...document.querySelectorAll('.graph rect')].map((each) => each.getBoundingClientRect());
                return all.every((one, index) => all.every((other, at) => at <= index || one.right <= other.left || other.right <= one.left
                  || one.bottom <= other.top || other.bottom <= one.top));""");
        browser.until("no text leaves its box", """
                return [...document.querySelectorAll('.graph .box')].every((box) => [...box.querySelectorAll('text')].every((text) =>
                  text.getBoundingClientRect().right <= box.querySelector('rect').getBoundingClientRect().right));""");
        browser.until("the same stands there in words", "return document.getElementById('in-words').textContent"
                + ".includes('Claim default/claim-0000, Bound has Volume volume-0000, Bound')");
        browser.until("the life of a claim has how it was bound", "const life = document.getElementById('life').textContent;"
                + " return life.includes('state: Pending → Bound') && life.includes('show claim phase')");
        seen("picture", "document.querySelectorAll('.graph .box').length >= 6");
        browser.ask("document.querySelector('.graph a[aria-label^=Volume]').focus()");
        browser.key(ENTER);
        browser.until("the keyboard follows the picture", "return location.hash === '#/volumes/volume-0000'"
                + " && document.getElementById('object-title').textContent === 'Volume volume-0000'");
        browser.open(server + "/ui/#/pods/default/lost");
        browser.until("what is missing is drawn too", boxes + " return boxes.includes('Claim default/nothing, Missing')");
        objects.make("/api/v1/namespaces/default/persistentvolumeclaims", """
                {"metadata":{"name":"nothing"},"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"",
                "resources":{"requests":{"storage":"900Gi"}}}}""");
        browser.until("and is there when it comes, without a click", boxes + " return boxes.includes('Claim default/nothing, Pending')");
        browser.open(server + "/ui/#/volumes/volume-0029");
        browser.until("a volume is there", "return document.getElementById('object-state').textContent.startsWith('Available')");
        objects.delete("/api/v1/persistentvolumes/volume-0029");
        browser.until("when it is gone, the page says so and keeps its life", "const life = document.getElementById('life').textContent;"
                + " return document.getElementById('object-state').textContent.includes('does not exist') && life.includes('is gone')");
        objects.volumes(FEW - 1, FEW);
    }

    /** A volume whose claim has gone is given back; what that means is shown first. */
    private void acts(String token) throws Exception {
        objects.make("/api/v1/persistentvolumes", """
                {"metadata":{"name":"left"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"manual",
                "persistentVolumeReclaimPolicy":"Retain","claimRef":{"namespace":"shop","name":"orders","uid":"gone"},
                "nfs":{"server":"nfs.example.com","path":"/left"}}}""");
        browser.open("about:blank");
        browser.open(server + "/ui/#/volumes/left");
        browser.until("a volume that is left offers what can be done", "return [...document.querySelectorAll('#acts button')]"
                + ".map((each) => each.dataset.act).join() === 'rebind,adopt,discard'");
        browser.clickOn("Keep it for the same claim…");
        browser.until("the token is asked for again, since this page was loaded anew", "return document.activeElement.id === 'act-token'");
        browser.type("#act-token", "nonsense" + ENTER);
        browser.until("a wrong token shows nothing", "return document.querySelector('#act-token')"
                + " && !document.getElementById('act-plan').textContent.includes('waits, with its data')");
        browser.ask("document.getElementById('act-token').value = ''");
        browser.type("#act-token", token + ENTER);
        browser.until("what would follow is shown first, and who gets the data", "const plan = document.getElementById('act-plan').textContent;"
                + " return ['waits, with its data, for claim shop/orders', 'users who can create that claim in namespace shop get the data',"
                + " 'spec.claimRef.uid: gone → none', 'mooring release pv/left --rebind'].every((each) => plan.includes(each))");
        seen("act", "document.getElementById('act-plan').textContent.includes('What would follow')");
        objects.patch("/api/v1/persistentvolumes/left", "{\"metadata\":{\"labels\":{\"changed\":\"since\"}}}");
        browser.click("#act-do");
        browser.until("it is not done to what has changed since", "return document.getElementById('act-plan').textContent.includes("
                + "'has changed since this was shown; nothing was done')");
        browser.clickOn("Show what it would do");
        browser.until("it is shown again, and the token is remembered", "return document.getElementById('act-plan').textContent.includes("
                + "'waits, with its data')");
        browser.click("#act-do");
        browser.until("it is done and said", "return document.getElementById('act-said').textContent.startsWith('Done: volume left waits')"
                + " && document.getElementById('object-state').textContent.startsWith('Available')");
        browser.until("an event says who did it", "return document.getElementById('life').textContent.includes("
                + "'VolumeRebound (mooring-page): user mooring at 127.0.0.1 by the page')");
        objects.delete("/api/v1/persistentvolumes/left");
    }

    /** A node that does not answer keeps a volume: a person who knows that its machine is off says so. The token is remembered since the acts. */
    private void detachByForce() throws Exception {
        objects.pod("stranded", "far", objects.diskOn("far"));
        browser.open(server + "/ui/#/attachments");
        browser.until("the volume is to be attached to the node of its pod", "const row = document.querySelector('[data-table=attachments] tbody tr');"
                + " return row.textContent.includes('disk') && row.textContent.includes('far')");
        objects.attached(text("return document.querySelector('[data-table=attachments] tbody th').textContent"));
        objects.silent("far");
        seen("attachments", "document.querySelectorAll('[data-table=attachments] tbody tr').length === 1");
        browser.ask("document.querySelector('[data-table=attachments] tbody th a').click()");
        browser.until("an attachment to a node that is silent can be detached by force", "return [...document.querySelectorAll('#acts button')]"
                + ".map((each) => each.dataset.act).join() === 'detach'");
        browser.clickOn("Detach by force…");
        browser.until("it asks how one knows", "return document.activeElement.id === 'act-evidence'");
        browser.type("#act-evidence", " " + ENTER);
        browser.until("blanks are no evidence", "return document.getElementById('act-plan').textContent.includes('say by what you know that node far')"
                + " && document.getElementById('act-do') === null");
        browser.type("#act-evidence", "I pulled its plug" + ENTER);
        browser.until("what would follow is shown first", "const plan = document.getElementById('act-plan').textContent;"
                + " return ['volume disk is detached from node far although the node has not let go of it', 'data is lost. Nothing undoes that',"
                + " 'pod default/stranded on that node keeps the volume attached until it is deleted', 'mooring.dev/force-detach',"
                + " 'kubectl patch volumeattachment', 'I pulled its plug'].every((each) => plan.includes(each))");
        seen("force", "Boolean(document.getElementById('act-do'))");
        browser.click("#act-do");
        browser.until("it is done and said", "return document.getElementById('act-said').textContent.startsWith('Done: volume disk is detached')");
        browser.until("an event says who did it", "return document.getElementById('life').textContent.includes("
                + "'ForceDetachAsked (mooring-page): user mooring at 127.0.0.1 by the page')");
        objects.delete("/api/v1/namespaces/default/pods/stranded?gracePeriodSeconds=0");
        browser.until("the volume is detached, although the node still says that it uses it",
                "return document.getElementById('object-state').textContent.includes('does not exist')");
        objects.noDiskOn("far");
    }

    /** What a script says. */
    private String text(String script) throws Exception {
        Matcher said = Pattern.compile("\"value\":\"([^\"]*)\"").matcher(browser.ask(script));
        browser.check("", said.find(), script);
        return said.group(1);
    }

    /** What a user asks who has never seen the page; each answer is at most three clicks from the first view. */
    private void questions() throws Exception {
        question("What needs attention, and since when?", "#attention", "Claim default/data Pending for");
        question("Why does it wait?", "#why-text", "is 1 byte short", "default/data");
        question("How many volumes are free?", "#counts", "Available4,5");
        question("Which volumes has a deleted claim left, and whose were they?", "tbody", "default/yesterday", "Released");
        question("Which pods use the claim claim-0000?", "tbody", "default/shop, default/web", "502 claims");
        question("Why does the pod lost not start?", "#object-state", "not bound: nothing", "3 pods", "default/lost");
        question("On which server, and there where, is the data of the pod web?", "#in-words", "is on Storage nfs nfs.example.com:/volume-0000", "3 pods", "default/web");
        question("What is on the node here?", "#in-words", "Pod default/web", "1 node", "here");
        question("What happened to the claim data?", "#life", "no volume fits, and the claim has no class", "default/data");
        question("Which volume is the largest?", "tbody tr", "9Gi", "5,002 volumes", "Size", "Size ▲");
    }

    private void question(String question, String where, String answer, String... clicks) throws Exception {
        browser.open(server + "/ui/#/");
        browser.until("", "return document.getElementById('counts').textContent.includes('5,002 volumes')");
        for (String click : clicks) {
            browser.clickOn(click);
        }
        browser.check(question + " takes " + clicks.length + " clicks", clicks.length <= MOST_CLICKS, "");
        browser.until("and the answer is there", "return document.querySelector('" + where + "').textContent.includes("
                + Browser.quoted(answer) + ")");
    }

    /** 5,000 volumes as a picture: what waits stands for itself, the rest is counted. */
    private void map() throws Exception {
        browser.until("the picture counts what is well", "const names = [...document.querySelectorAll('#map a')]"
                + ".map((each) => each.getAttribute('aria-label'));"
                + " return names.includes('4,500 volumes Available') && names.some((each) => each?.startsWith('Claim default/data, Pending for'))");
        browser.until("it has few parts", "return document.querySelectorAll('#map svg *').length < 1000");
        browser.until("no text leaves it", """
                return [...document.querySelectorAll('#map svg')].every((each) => [...each.querySelectorAll('text')].every((text) =>
                  text.getBoundingClientRect().right <= each.getBoundingClientRect().right + 1));""");
        browser.ask("document.getElementById('map').scrollIntoView()");
        seen("map", "Boolean(document.querySelector('#map a[aria-label=\"4,500 volumes Available\"]'))");
        objects.make("/api/v1/persistentvolumes", """
                {"metadata":{"name":"timed"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteMany"],"storageClassName":"manual",
                "nfs":{"server":"nfs.example.com","path":"/timed"}}}""");
        browser.until("one more is there", "return document.getElementById('counts').textContent.includes('5,003 volumes')");
        timed("an update of the first view of 5,000 volumes is drawn");
        objects.delete("/api/v1/persistentvolumes/timed");
        browser.until("and gone", "return document.getElementById('counts').textContent.includes('5,002 volumes')");
        browser.until("the count of what is free follows", "return Boolean(document.querySelector('#map a[aria-label=\"4,500 volumes Available\"]'))");
        browser.ask("document.querySelector('#map a[aria-label=\"4,500 volumes Available\"]').focus()");
        browser.key(ENTER);
        browser.until("a bar leads to what it counts", "return (document.querySelector('h2')?.textContent || '').includes('4,500 found among 5,002')");
        browser.open(server + "/ui/#/?by=node");
        browser.until("grouped by node", "return [...document.querySelectorAll('#map h3')].some((each) => each.textContent.startsWith('here'))");
    }

    private void timed(String what) throws Exception {
        Matcher took = Pattern.compile("\"value\":([0-9.]+)")
                .matcher(browser.ask("return performance.getEntriesByName('draw')[0].duration"));
        boolean found = took.find();
        browser.check(what + " within " + MOST_MILLIS + " ms", found && Double.parseDouble(took.group(1)) < MOST_MILLIS, took.toString());
        System.out.println("    scripts took " + took.group(1) + " ms");
    }

    private void lists() throws Exception {
        browser.open(server + "/ui/#/volumes");
        browser.until("counts by state stand on top", "return document.querySelector('.chips')?.textContent.includes('4,501 Available')");
        browser.until("a page has a hundred lines", "return document.querySelectorAll('[data-table=volumes] tbody tr').length === 100");
        browser.until("a line stays the same when news come", "const row = document.querySelector('[data-table=volumes] tbody tr');"
                + " if (!window.seen) { window.seen = row; window.at = performance.now(); }"
                + " return performance.now() - window.at > 5000 && window.seen === row");
        timed("a hundred lines of 5,000 volumes are drawn");
        browser.check("every volume can be reached by the pages", browser.ask(ALL_PAGES).contains("\"value\":5002"),
                browser.ask(ALL_PAGES));
        browser.clickOn("Last");
        browser.until("the last page", "return document.querySelector('.pager').textContent.includes('Page 51 of 51')");
        browser.until("has its own address", "return location.hash === '#/volumes?page=51'");
        browser.clickOn("Previous");
        browser.until("back by one", "return location.hash === '#/volumes?page=50' && document.querySelector('.pager').textContent.includes('Page 50')");
        browser.ask("window.scrollTo(0, 1200)");
        browser.until("it has moved down", "return window.scrollY === 1200");
        String opened = "const row = document.querySelectorAll('tbody th a')[40]; location.hash = row.getAttribute('href'); return true";
        browser.until("a volume in the middle is opened", opened);
        browser.until("it is there", "return Boolean(document.getElementById('object-title'))");
        browser.ask("history.back()");
        browser.until("the place in the list is kept", "return Boolean(document.querySelector('.pager')) && window.scrollY === 1200");
        browser.open(server + "/ui/#/volumes?q=volume-4321");
        browser.until("a search finds one", "return document.querySelectorAll('tbody tr').length === 1"
                + " && document.querySelector('tbody tr').textContent.includes('nfs.example.com:/volume-4321')");
        browser.open(server + "/ui/#/volumes?q=label:rack=r3+state:bound");
        browser.until("labels and states are found", "const found = document.querySelector('h2')?.textContent || '';"
                + " return found.includes('found among 5,002')"
                + " && [...document.querySelectorAll('td.state')].every(each => each.textContent.startsWith('Bound'))");
        browser.clickOn("Size");
        browser.until("sorted by size", "return document.querySelector('[aria-sort=ascending]')?.textContent.startsWith('Size')"
                + " && document.querySelector('td.size').textContent === '1Gi'");
        browser.ask("document.getElementById('q').focus()");
        browser.until("the search can be changed", "const q = document.getElementById('q'); q.value = 'claim-0010';"
                + " q.dispatchEvent(new Event('input')); return true");
        browser.until("and finds by the claim", "return document.querySelectorAll('tbody tr').length === 1"
                + " && document.querySelector('tbody tr').textContent.includes('volume-0010')");
        browser.clickOn("default/claim-0010");
        browser.until("a link leads to the claim", "return location.hash === '#/claims/default/claim-0010'"
                + " && document.getElementById('object-state').textContent.startsWith('Bound')");
    }

    private static final String ALL_PAGES = """
            const names = new Set();
            for (let offset = 0; offset < 5100; offset += 100) {
              const request = new XMLHttpRequest();
              request.open('GET', '/ui/list?kind=volumes&limit=100&offset=' + offset, false);
              request.send();
              for (const row of JSON.parse(request.responseText).rows) names.add(row.name);
            }
            return names.size;""";

    private void logOut(String link) throws Exception {
        // Being asked for the token is what the 401 are, and the 409 what has changed since it was shown.
        String log = browser.log();
        browser.check("the browser complains of nothing", !log.replaceAll("[^{]*status of (401|409)[^}]*", "").contains("SEVERE"), log);
        browser.click("#logout");
        browser.until("after logging out nothing is shown", "return document.getElementById('world').hidden"
                + " && !document.getElementById('login').hidden && !document.body.textContent.includes('claim-0010')");
        browser.open(link);
        browser.until("the link of the start logs in, and leaves the address", "return !document.getElementById('world').hidden"
                + " && !location.href.includes('token')");
        browser.click("#logout");
        browser.until("logged out again", "return document.getElementById('world').hidden");
        browser.open("about:blank");
        browser.open(link);
        browser.until("the link is good for once, and a new page says so in the form",
                "return document.getElementById('refused').textContent === 'This link was used already or is older than 15 minutes.'"
                        + " && document.getElementById('world').hidden && !document.getElementById('login').hidden");
    }

    /** The same view in every width and colour; what it shows has to be there in each. */
    private void seen(String view, String shows) throws Exception {
        for (int width : WIDTHS) {
            for (String colour : COLOURS) {
                String name = view + "-" + width + "-" + colour;
                browser.size(width, 900);
                browser.colours(colour);
                browser.until(name + " shows it", "return " + shows);
                String whole = browser.ask(WORDS_ARE_WHOLE);
                browser.check(name + " has whole words", whole.contains("\"value\":true"), whole);
                byte[] png = browser.screenshot();
                Files.write(pictures.resolve(name + ".png"), png);
                look(name, colour, ImageIO.read(new ByteArrayInputStream(png)));
            }
        }
        browser.size(1280, 900);
        browser.colours("light");
    }

    private void look(String name, String colour, BufferedImage image) {
        Set<Integer> found = new HashSet<>();
        for (int x = 0; x < image.getWidth(); x += 2) {
            for (int y = 0; y < image.getHeight(); y += 2) {
                found.add(image.getRGB(x, y));
            }
        }
        int ground = image.getRGB(1, 1) & 0xff;
        browser.check(name + " is not blank, and " + colour,
                found.size() >= LEAST_COLOURS && colour.equals("dark") == ground < 0x80, found.size() + " colours, ground " + ground);
    }
}
