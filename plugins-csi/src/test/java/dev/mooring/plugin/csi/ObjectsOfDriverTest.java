// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.ProvisionerRole;
import dev.mooring.runtime.plugin.SidecarRules;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each field of the objects that tell other programs about a driver's volume: the table in docs/operate/csi.md says what stock programs write.
 * {@link CapacityOfDriverTest} has those of a CSIStorageCapacity.
 */
class ObjectsOfDriverTest {
    private static final String ZONE = "example.com/zone";
    private static final List<Kind<?>> KINDS =
            List.of(Kinds.PERSISTENT_VOLUME, Kinds.VOLUME_ATTACHMENT, Kinds.CSI_NODE);

    @TempDir
    private Path temp;

    private FakeDriver driver;

    @BeforeEach
    void start() throws Exception {
        driver = new FakeDriver(temp.resolve("csi.sock"));
        driver.topology.put(ZONE, "east");
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private static void runPod(DriverWorld world) {
        world.createClass(Map.of("type", "ssd"));
        world.createClaim("1Gi");
        world.createPod();
        world.await("a running pod", world::podRuns);
    }

    private static List<Document> documents(DriverWorld world, Kind<?> kind) {
        return world.store.listDocuments(kind).orThrow().items();
    }

    @Test
    void ofTheControllers() throws IOException {
        try (DriverWorld world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()))) {
            runPod(world);
            assertThat(fields(world)).isEqualTo(expected("objects-of-controllers.txt"));
        }
    }

    @Test
    void ofTheSidecar() throws IOException {
        SidecarRules rules = new SidecarRules(
                "ext4", false, false, true, false, true, Duration.ofSeconds(30), Optional.of("1-2"), Optional.empty());
        try (DriverWorld world = DriverWorld.leftToSidecars(temp.resolve("root"), driver.endpoint())) {
            world.startSidecar(driver.endpoint(), rules, ProvisionerRole.DEFAULT);
            runPod(world);
            assertThat(fields(world)).isEqualTo(expected("objects-of-sidecar.txt"));
        }
    }

    private static String expected(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(ObjectsOfDriverTest.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A line for each field; what differs from run to run is named by what it is. */
    private static String fields(DriverWorld world) {
        String uid = world.claim().metadata().uid();
        String attachment = nameOfTheKubelet("handle-pvc-" + uid);
        List<String> lines = new ArrayList<>();
        for (Kind<?> kind : KINDS) {
            for (Document object : documents(world, kind)) {
                lines.add(kind.name());
                describe("", object.asMap(), lines);
            }
        }
        return String.join("\n", lines)
                        .replace(attachment, "(name of the kubelet)")
                        .replace(uid, "(claim's uid)")
                        .replaceAll("(uid|resourceVersion|generation|Timestamp|Time): [^(].*", "$1: (set)")
                        .replaceAll("(node-uid): .*", "$1: (set)")
                + "\n";
    }

    /** A stock kubelet asks for the attachment by this name. */
    private static String nameOfTheKubelet(String handle) {
        try {
            byte[] text = (handle + FakeDriver.NAME + DriverWorld.NODE).getBytes(StandardCharsets.UTF_8);
            return "csi-"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static void describe(String path, Object value, List<String> lines) {
        if (value instanceof Map<?, ?> map) {
            new TreeMap<>(map).forEach((key, each) -> describe(path + "." + key, each, lines));
        } else if (value instanceof Collection<?> list && !list.isEmpty()) {
            list.forEach(each -> describe(path + "[]", each, lines));
        } else {
            lines.add("    " + path.substring(1) + ": " + value);
        }
    }
}
