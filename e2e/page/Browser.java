// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real browser, by the WebDriver protocol. */
final class Browser implements AutoCloseable {
    private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
    private static final int MOST_TRIES = 600;

    private final HttpClient http = HttpClient.newHttpClient();
    private final String driver;
    private final String session;
    private int passed;

    Browser(String driver) throws Exception {
        this.driver = driver;
        session = text(send("POST", "/session", """
                {"capabilities":{"alwaysMatch":{"acceptInsecureCerts":true,"goog:loggingPrefs":{"browser":"ALL"},
                "goog:chromeOptions":{"args":["--headless=new","--no-sandbox","--disable-gpu","--disable-dev-shm-usage",
                "--hide-scrollbars","--window-size=1280,900"]}}}}"""), "sessionId");
    }

    @Override
    public void close() throws Exception {
        send("DELETE", "/session/" + session, "");
    }

    int passed() {
        return passed;
    }

    void open(String url) throws Exception {
        in("/url", "{\"url\":\"" + url + "\"}");
    }

    void type(String selector, String text) throws Exception {
        in("/element/" + find(selector) + "/value", "{\"text\":\"" + text + "\"}");
    }

    void click(String selector) throws Exception {
        in("/element/" + find(selector) + "/click", "{}");
    }

    /** A click on the first link or button that a person can see with that text. */
    void clickOn(String text) throws Exception {
        until("there is \"" + text + "\" to click on", "const found = [...document.querySelectorAll('a, button')]"
                + ".find(each => each.getClientRects().length && each.textContent.trim() === " + quoted(text) + ");"
                + " if (found) found.click(); return Boolean(found)");
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "\\'") + "'";
    }

    void key(String code) throws Exception {
        in("/actions", "{\"actions\":[{\"type\":\"key\",\"id\":\"keys\",\"actions\":[{\"type\":\"keyDown\",\"value\":\"" + code
                + "\"},{\"type\":\"keyUp\",\"value\":\"" + code + "\"}]}]}");
    }

    void devtools(String command, String parameters) throws Exception {
        in("/goog/cdp/execute", "{\"cmd\":\"" + command + "\",\"params\":" + parameters + "}");
    }

    void size(int width, int height) throws Exception {
        devtools("Emulation.setDeviceMetricsOverride", "{\"width\":" + width + ",\"height\":" + height
                + ",\"deviceScaleFactor\":1,\"mobile\":false}");
    }

    void colours(String scheme) throws Exception {
        devtools("Emulation.setEmulatedMedia",
                "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"" + scheme + "\"}]}");
    }

    byte[] screenshot() throws Exception {
        return Base64.getDecoder().decode(text(send("GET", "/session/" + session + "/screenshot", ""), "value"));
    }

    String log() throws Exception {
        return in("/se/log", "{\"type\":\"browser\"}");
    }

    /** The answer of a script, as JSON. */
    String ask(String script) throws Exception {
        String escaped = script.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        return in("/execute/sync", "{\"script\":\"" + escaped + "\",\"args\":[]}");
    }

    void check(String what, boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException("not so: " + what + ": " + otherwise);
        }
        if (!what.isEmpty()) {
            passed++;
            System.out.println("  " + what);
        }
    }

    void until(String what, String script) throws Exception {
        String answer = "";
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            // What is not there yet cannot be looked into.
            answer = ask("try { " + script + " } catch (early) { return String(early) }");
            if (answer.contains("\"value\":true")) {
                check(what, true, "");
                return;
            }
            Thread.sleep(50);
        }
        check(what, false, answer + "\n" + ask("return location.href + ' ' + document.body.innerText.slice(0, 3000)"));
    }

    private String find(String selector) throws Exception {
        return text(in("/element", "{\"using\":\"css selector\",\"value\":\"" + selector + "\"}"), ELEMENT);
    }

    private String in(String path, String body) throws Exception {
        return send("POST", "/session/" + session + path, body);
    }

    private String send(String method, String path, String body) throws IOException, InterruptedException {
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

    private static String text(String json, String key) {
        Matcher matcher = Pattern.compile("\"" + key + "\":\"([^\"]*)\"").matcher(json);
        if (!matcher.find()) {
            throw new IllegalStateException("no " + key + " in " + json);
        }
        return matcher.group(1);
    }
}
