// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same manifests and the same kubectl commands against the real API server with {@code mooring controller} and against
 * {@code mooring standalone}: the objects are the same in the end, and so are kubectl's tables.
 */
@Tag("cluster")
class SameOnBothServersIT {
    /** What no two servers agree on. */
    private static final Set<String> OF_THE_SERVER = Set.of(
            "uid",
            "resourceVersion",
            "creationTimestamp",
            "deletionTimestamp",
            "managedFields",
            "selfLink",
            "generation",
            "lastPhaseTransitionTime");

    /** What Kubernetes has shown since 1.20, which is the version of the real server here. */
    private static final List<String> NEWER_COLUMNS =
            List.of("VOLUMEATTRIBUTESCLASS", "STORAGECAPACITY", "TOKENREQUESTS", "REQUIRESREPUBLISH");

    /** All other differences, and why they are. */
    private static final Map<String, String> KNOWN = Map.of(
            "csidriver/.*[.]spec[.](requiresRepublish|seLinuxMount|storageCapacity)",
            "defaults of versions after 1.20",
            "node/.*[.](spec[.]taints.*|status[.](daemonEndpoints|nodeInfo).*)",
            "what a kubelet is told and tells",
            "pod/.*[.]spec[.]containers.*[.](imagePullPolicy|terminationMessage.*)",
            "no kubelet runs containers in standalone",
            "pod/.*[.](spec[.](dnsPolicy|enableServiceLinks|preemptionPolicy|priority|schedulerName|serviceAccount.*|tolerations.*)|status[.]qosClass)",
            "defaults that have nothing to do with volumes",
            "pv/spare[.]spec[.]capacity[.]storage",
            "standalone keeps a quantity as it was written, the API server brings it to its canonical form",
            "volumeattachment/.*[.]status[.]attached",
            "standalone leaves out false");

    private static final String[] KINDS = {
        "pv",
        "pvc",
        "sc",
        "secret/token",
        "configmap/settings",
        "volumeattachment",
        "csidriver",
        "csinode/elsewhere",
        "node/elsewhere",
        "pod"
    };

    @TempDir
    private static Path directory = Path.of("");

    private static final ClusterFixture CLUSTER = new ClusterFixture();
    private static ControllerProcesses processes;
    private static Kubectl real;
    private static Kubectl ours;

    @BeforeAll
    static void start() throws Exception {
        CLUSTER.grantWhatTheManifestGrants();
        CLUSTER.empty();
        processes = new ControllerProcesses(directory);
        processes.start("same", CLUSTER.cluster.plainKubeconfig());
        Path kubeconfig = processes.standalone("standalone", directory.resolve("data"));
        real = new Kubectl(CLUSTER.cluster.kubeconfig(), Files.createDirectory(directory.resolve("home-real")));
        ours = new Kubectl(kubeconfig, Files.createDirectory(directory.resolve("home-ours")));
        // What kube-controller-manager would make.
        real.run("", "create", "serviceaccount", "default");
        for (Kubectl each : List.of(real, ours)) {
            live(each);
        }
    }

    @AfterAll
    static void stop() {
        for (String kind : KINDS) {
            List<String> arguments =
                    new ArrayList<>(List.of("delete", "--wait=false", "--force", "--grace-period=0", kind));
            if (!kind.contains("/")) {
                arguments.add("--all");
            }
            real.run("", arguments.toArray(String[]::new));
        }
        CLUSTER.empty();
        processes.close();
    }

    /** Everything that is done to each of the two. */
    private static void live(Kubectl kubectl) throws Exception {
        String manifest = Files.readString(
                Path.of(System.getProperty("mooring.root", "..")).resolve("e2e/kubectl/same.yaml"));
        kubectl.okWith(manifest, "apply", "-f", "-");
        for (String claim : List.of("pvc/first", "pvc/chosen", "pvc/selected", "pvc/kept", "pvc/used")) {
            kubectl.untilPhase(claim, "Bound");
        }
        kubectl.untilPhase("pvc/waiting", "Pending");
        kubectl.untilPhase("pv/spare", "Available");
        // A claim goes, its volume stays and knows whose it was; an administrator gives another one back.
        kubectl.ok("delete", "pvc", "kept", "first");
        kubectl.untilPhase("pv/kept", "Released");
        kubectl.untilPhase("pv/first", "Released");
        kubectl.ok("patch", "pv", "first", "-p", "{\"spec\":{\"claimRef\":null}}");
        kubectl.untilPhase("pv/first", "Available");
        // A claim in use and a volume that is bound stay until they may go.
        kubectl.ok("delete", "pvc", "used", "--wait=false");
        kubectl.ok("delete", "pv", "chosen", "--wait=false");
        kubectl.ok("label", "pv", "spare", "tier=gold");
        kubectl.ok("annotate", "pvc", "selected", "note=text");
        kubectl.ok("patch", "sc", "manual", "-p", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        // What is created and goes for good.
        kubectl.okWith(
                "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolume\",\"metadata\":{\"name\":\"brief\"},\"spec\":{"
                        + "\"capacity\":{\"storage\":\"1Gi\"},\"accessModes\":[\"ReadWriteOnce\"],\"storageClassName\":\"brief\","
                        + "\"nfs\":{\"server\":\"nfs.example.com\",\"path\":\"/brief\"}}}",
                "create",
                "-f",
                "-");
        kubectl.untilPhase("pv/brief", "Available");
        kubectl.ok("delete", "pv", "brief", "--timeout=60s");
        kubectl.untilGone("pv/brief");
    }

    @Test
    void theObjectsAreTheSame() {
        Map<String, Object> there = objects(real);
        Map<String, Object> here = objects(ours);
        Set<String> paths = new TreeSet<>(there.keySet());
        paths.addAll(here.keySet());
        Map<String, String> differences = new TreeMap<>();
        paths.removeIf(path -> KNOWN.keySet().stream().anyMatch(path::matches));
        paths.forEach(path -> {
            if (!String.valueOf(there.get(path)).equals(String.valueOf(here.get(path)))) {
                differences.put(path, there.get(path) + " | " + here.get(path));
            }
        });
        assertThat(differences).as("real | standalone").isEmpty();
    }

    /** Every value that is no object by its path. */
    @SuppressWarnings("unchecked") // maps in a document have text keys
    private static Map<String, Object> objects(Kubectl kubectl) {
        Map<String, Object> all = new TreeMap<>();
        for (String kind : KINDS) {
            Document got = kubectl.json("get", kind);
            List<?> items = kind.contains("/")
                    ? List.of(got.asMap())
                    : (List<?>) got.at("items").orElseThrow();
            for (Object item : items) {
                String name = Document.of((Map<String, ?>) item)
                        .text("metadata", "name")
                        .orElseThrow();
                flatten(kind.replaceFirst("/.*", "") + "/" + name, item, all);
            }
        }
        return all;
    }

    private static void flatten(String path, Object value, Map<String, Object> into) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> {
                if (!OF_THE_SERVER.contains(key)) {
                    flatten(path + "." + key, each, into);
                }
            });
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                flatten(path + "[" + i + "]", list.get(i), into);
            }
        } else {
            into.put(path, value);
        }
    }

    @Test
    void theTablesAreTheSame() {
        List<String> differences = new ArrayList<>();
        for (String kind : KINDS) {
            for (String form : List.of("", "wide")) {
                List<Map<String, String>> there = table(real, kind, form);
                List<Map<String, String>> here = table(ours, kind, form);
                here.forEach(row -> NEWER_COLUMNS.forEach(row::remove));
                if (!here.equals(there)) {
                    differences.add(kind + " " + form + "\n  real " + there + "\n  ours " + here);
                }
            }
        }
        assertThat(String.join("\n", differences)).isEmpty();
    }

    /** The rows, without ages. Where a column begins is told by the header. */
    private static List<Map<String, String>> table(Kubectl kubectl, String kind, String form) {
        List<String> arguments = new ArrayList<>(List.of("get", kind));
        if (!form.isEmpty()) {
            arguments.addAll(List.of("-o", form));
        }
        List<String> lines =
                kubectl.ok(arguments.toArray(String[]::new)).lines().toList();
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            Map<String, String> row = new LinkedHashMap<>();
            Matcher column = Pattern.compile("(\\S+(?: \\S+)*)( *)").matcher(lines.get(0));
            while (column.find()) {
                int end = column.end() == lines.get(0).length() ? line.length() : Math.min(column.end(), line.length());
                String cell = line.substring(Math.min(column.start(), line.length()), end);
                row.put(column.group(1), cell.strip());
            }
            row.remove("AGE");
            row.replace("CAPACITY", "1.5Gi", "1536Mi"); // see KNOWN
            rows.add(row);
        }
        return rows;
    }
}
