// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.standalone.RawClient.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** One Event, by core {@code v1} and by {@code events.k8s.io/v1}. */
@TestInstance(Lifecycle.PER_CLASS)
class EventGroupTest {
    private static final String CORE = "/api/v1/namespaces/default/events";
    private static final String GROUP = "/apis/events.k8s.io/v1/namespaces/default/events";
    private static final String OLD = """
            {"metadata":{"name":"%s"},"involvedObject":{"kind":"Pod","namespace":"default","name":"%s"},"reason":"Failed",
             "message":"the old way","source":{"component":"c"},"firstTimestamp":"2026-01-01T00:00:00Z",
             "lastTimestamp":"2026-01-01T00:01:00Z","count":3,"type":"Warning"}""";
    private static final String NEW = """
            {"metadata":{"name":"%s"},"regarding":{"kind":"Pod","namespace":"default","name":"web"},"reason":"Failed",
             "note":"the new way","eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"example.com/c",
             "reportingInstance":"i","action":"Do","type":"Normal"}""";
    private static final String TABLE = "application/json\r\nAccept: application/json;as=Table;g=meta.k8s.io;v=v1";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // started before the tests
    private Standalone server;

    @SuppressWarnings("NullAway.Init") // made before the tests
    private RawClient client;

    @BeforeAll
    void start() throws Exception {
        Path data = directory.resolve("data");
        server = Standalone.start(StandaloneServers.options(data), List.of());
        client = new RawClient(data.resolve("kubeconfig"));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Reply send(String method, String path, String body) throws IOException {
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        return client.request(method, path, type, body);
    }

    private String get(String path) throws IOException {
        Reply reply = send("GET", path, "");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.text();
    }

    @Test
    void whatIsWrittenTheOldWayIsReadTheNewWay() throws Exception {
        assertThat(send("POST", CORE, OLD.formatted("old", "db")).status()).isEqualTo(201);
        assertThat(get(GROUP + "/old"))
                .contains(
                        "\"apiVersion\":\"events.k8s.io/v1\"",
                        "\"regarding\":{",
                        "\"note\":\"the old way\"",
                        "\"deprecatedCount\":3",
                        "\"deprecatedSource\":{\"component\":\"c\"}",
                        "\"deprecatedLastTimestamp\":\"2026-01-01T00:01:00Z\"")
                .doesNotContain("\"involvedObject", "\"message\"");
        assertThat(get(GROUP + "?fieldSelector=regarding.name%3Ddb"))
                .contains("\"kind\":\"EventList\"", "\"apiVersion\":\"events.k8s.io/v1\"", "\"name\":\"old\"");
        assertThat(get(GROUP + "?watch=1&timeoutSeconds=1&fieldSelector=regarding.name%3Ddb"))
                .contains("\"type\":\"ADDED\"", "\"note\":\"the old way\"");
        assertThat(send("GET", GROUP + "?fieldSelector=involvedObject.name%3Ddb", "")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void whatIsWrittenTheNewWayIsReadTheOldWay() throws Exception {
        assertThat(send("POST", GROUP + "?fieldValidation=Strict", NEW.formatted("new"))
                        .text())
                .contains("\"note\":\"the new way\"");
        assertThat(get(CORE + "/new"))
                .contains(
                        "\"apiVersion\":\"v1\"",
                        "\"message\":\"the new way\"",
                        "\"involvedObject\":{",
                        "\"reportingComponent\":\"example.com/c\"");
        String series = "{\"series\":{\"count\":5,\"lastObservedTime\":\"2026-01-01T01:00:00.000000Z\"}}";
        assertThat(send("PATCH", GROUP + "/new", series).text()).contains("\"count\":5");
        assertThat(send("PATCH", GROUP + "/new", "{\"note\":\"another\"}").text())
                .contains("\"code\":422", "Event.events.k8s.io \\\"new\\\" is invalid", "field is immutable");
        assertThat(send("PATCH", CORE + "/new", "{\"message\":\"another\"}").status())
                .isEqualTo(200);
        assertThat(send("DELETE", GROUP + "/new", "").status()).isEqualTo(200);
        assertThat(send("GET", CORE + "/new", "").status()).isEqualTo(404);
    }

    @Test
    void theNewWayAsksForMore() throws Exception {
        assertThat(send("POST", GROUP, NEW.formatted("bad").replace("\"action\":\"Do\",", ""))
                        .text())
                .contains("\"code\":422", "action: Required value");
        assertThat(send("POST", GROUP, OLD.formatted("bad", "db")).text())
                .contains("\"code\":422", "eventTime: Required value");
        assertThat(send("POST", GROUP + "?fieldValidation=Strict", OLD.formatted("bad", "db"))
                        .text())
                .contains("\"code\":400", "unknown field \\\"involvedObject\\\"");
        // Of few kinds, of which this is one, what is not there is made by PUT, too.
        assertThat(send("PUT", GROUP + "/put", NEW.formatted("put")).status()).isEqualTo(201);
    }

    @Test
    void bothHaveTheSameColumns() throws Exception {
        send("POST", CORE, OLD.formatted("shown", "shown"));
        String core = table(CORE);
        assertThat(core).contains("pod/shown", "\"the old way\"", "\"Last Seen\"");
        assertThat(table(GROUP)).isEqualTo(core);
    }

    /** Without what time and other writers change. */
    private String table(String path) throws IOException {
        String text = client.request("GET", path + "?fieldSelector=metadata.name%3Dshown", TABLE, "")
                .text();
        return text.substring(text.indexOf("\r\n\r\n"))
                .replaceAll("\"resourceVersion\":\"\\d+\"", "")
                .replaceAll("\\d+[smhdy]", "");
    }

    @Test
    void clientsFindTheGroup() throws Exception {
        assertThat(get("/apis")).contains("\"name\":\"events.k8s.io\"");
        assertThat(get("/apis/events.k8s.io/v1")).contains("\"name\":\"events\"", "\"shortNames\":[\"ev\"]");
        assertThat(get("/openapi/v3/apis/events.k8s.io/v1"))
                .contains("io.k8s.api.events.v1.Event", "\"regarding\"", "\"reportingController\"")
                .doesNotContain("\"involvedObject\"");
    }
}
