// SPDX-License-Identifier: Apache-2.0
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;

/** Uses the page as a person does, in a real browser, by the WebDriver protocol: driver, page, token, screenshot. */
public final class PageCheck {
    private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
    private static final int MOST_TRIES = 600;
    private static final int LEAST_COLOURS = 12;

    private final HttpClient http = HttpClient.newHttpClient();
    private final String driver;
    private String session = "";
    private int passed;

    private PageCheck(String driver) {
        this.driver = driver;
    }

    public static void main(String[] arguments) throws Exception {
        new PageCheck(arguments[0]).run(arguments[1], arguments[2], Path.of(arguments[3]));
    }

    private void run(String page, String token, Path screenshot) throws Exception {
        session = text(post("/session", """
                {"capabilities":{"alwaysMatch":{"acceptInsecureCerts":true,"goog:loggingPrefs":{"browser":"ALL"},
                "goog:chromeOptions":{"args":["--headless=new","--no-sandbox","--disable-gpu","--disable-dev-shm-usage",
                "--window-size=1200,900"]}}}}"""), "sessionId");
        try {
            use(page, token, screenshot);
        } finally {
            send("DELETE", "/session/" + session, "");
        }
        System.out.println(passed + " passed, 0 failed");
    }

    private void use(String page, String token, Path screenshot) throws Exception {
        in("/url", "{\"url\":\"" + page + "\"}");
        until("the form asks for the token", "return !document.getElementById('login').hidden");
        in("/element/" + find("#token") + "/value", "{\"text\":\"wrong\"}");
        in("/element/" + find("#login button") + "/click", "{}");
        until("a wrong token is refused", "return document.getElementById('refused').textContent !== ''");
        until("and shows nothing", "return document.getElementById('world').hidden");
        in("/element/" + find("#token") + "/value", "{\"text\":\"" + token + "\"}");
        in("/element/" + find("#login button") + "/click", "{}");
        until("the claim is there", "return [...document.querySelectorAll('[data-table=claims] tbody tr')]"
                + ".some(row => row.textContent.startsWith('default/dataPending'))");
        until("the volumes are there", "return document.querySelectorAll('[data-table=volumes] tbody tr').length >= 2");
        until("the script cannot see the cookie", "return document.cookie === ''");
        in("/element/" + find("[data-table=claims] tbody button") + "/click", "{}");
        until("the explanation is there", "return !document.getElementById('why').hidden"
                + " && document.getElementById('why-text').textContent.includes('is 1 byte short')");
        until("and has the focus", "return document.activeElement.id === 'why'");
        look(Base64.getDecoder().decode(value(send("GET", "/session/" + session + "/screenshot", ""))), screenshot);
        in("/actions", "{\"actions\":[{\"type\":\"key\",\"id\":\"keys\",\"actions\":[{\"type\":\"keyDown\",\"value\":\"\\uE00C\"},"
                + "{\"type\":\"keyUp\",\"value\":\"\\uE00C\"}]}]}");
        until("Escape closes it and gives the focus back", "return document.getElementById('why').hidden"
                + " && document.activeElement.textContent === 'default/data'");
        until("a row stays the same when news come", "const row = document.querySelector('[data-table=claims] tbody tr');"
                + " if (!window.seen) { window.seen = row; window.at = performance.now(); }"
                + " return performance.now() - window.at > 5000 && window.seen === row");
        String log = send("POST", "/session/" + session + "/se/log", "{\"type\":\"browser\"}");
        // Being asked for the token is what the two 401 are.
        check("the browser complains of nothing", !log.replaceAll("[^{]*status of 401[^}]*", "").contains("SEVERE"), log);
        in("/element/" + find("#logout") + "/click", "{}");
        until("after logging out nothing is shown", "return document.getElementById('world').hidden"
                + " && !document.getElementById('login').hidden && !document.body.textContent.includes('default/data')");
    }

    private void look(byte[] png, Path file) throws IOException {
        Files.write(file, png);
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
        Set<Integer> colours = new HashSet<>();
        for (int x = 0; x < image.getWidth(); x += 2) {
            for (int y = 0; y < image.getHeight(); y += 2) {
                colours.add(image.getRGB(x, y));
            }
        }
        check("the screenshot is not blank", colours.size() >= LEAST_COLOURS, colours.size() + " colours in " + file);
    }

    private void check(String what, boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException("not so: " + what + ": " + otherwise);
        }
        passed++;
        System.out.println("  " + what);
    }

    private void until(String what, String script) throws Exception {
        String answer = "";
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            answer = in("/execute/sync", "{\"script\":\"" + script.replace("\"", "\\\"") + "\",\"args\":[]}");
            if (answer.contains("\"value\":true")) {
                check(what, true, "");
                return;
            }
            Thread.sleep(50);
        }
        String html = in("/execute/sync", "{\"script\":\"return document.body.innerText\",\"args\":[]}");
        check(what, false, answer + "\n" + html);
    }

    private String find(String selector) throws Exception {
        return text(in("/element", "{\"using\":\"css selector\",\"value\":\"" + selector + "\"}"), ELEMENT);
    }

    // ---- the protocol ----

    private String in(String path, String body) throws Exception {
        return post("/session/" + session + path, body);
    }

    private String post(String path, String body) throws Exception {
        return send("POST", path, body);
    }

    private String send(String method, String path, String body) throws Exception {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(URI.create(driver + path))
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(method + " " + path + " " + body + ": " + response.body());
        }
        return response.body();
    }

    private static String value(String json) {
        return text(json, "value");
    }

    private static String text(String json, String key) {
        Matcher matcher = Pattern.compile("\"" + key + "\":\"([^\"]*)\"").matcher(json);
        if (!matcher.find()) {
            throw new IllegalStateException("no " + key + " in " + json);
        }
        return matcher.group(1);
    }
}
