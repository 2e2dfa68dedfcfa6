// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets are planted wherever people put them; none is in the bundle, and what helps is. */
class SupportBundleTest {
    private static final String PLANTED = "planted-hunter2";
    private static final String JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJl";

    private static final String OBJECTS = """
            apiVersion: v1
            kind: Secret
            metadata:
              name: chap
              namespace: default
              annotations:
                kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"node.session.auth.password":"planted-hunter2"}}'
            type: kubernetes.io/iscsi-chap
            data: {node.session.auth.password: BASE64}
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: settings, namespace: default}
            data: {db.properties: "password: planted-hunter2"}
            ---
            apiVersion: v1
            kind: PersistentVolume
            metadata:
              name: disk
              annotations:
                kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"csi":{"volumeAttributes":{"x":"planted-hunter2"}}}}'
                example.com/login: planted-hunter2
                mooring.dev/chap-secret: planted-hunter2
                pv.kubernetes.io/provisioned-by: csi.example.com
            spec:
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOnce]
              mountOptions: [vers=4.1, password=planted-hunter2]
              csi:
                driver: csi.example.com
                volumeHandle: vol-1
                volumeAttributes: {admin: planted-hunter2, server: nfs.example.com}
            ---
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: unit}
            spec:
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOnce]
              iscsi:
                targetPortal: 10.0.0.1:3260
                iqn: iqn.2001-04.com.example:disk
                lun: 1
                chapAuthSession: true
                secretRef: {name: chap}
                chapPassword: planted-hunter2
            ---
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: fast}
            provisioner: csi.example.com
            parameters:
              endpoint: https://admin:planted-hunter2@array.example.com/api
              key: planted-hunter2
              csi.storage.k8s.io/provisioner-secret-name: chap
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata:
              name: data
              namespace: default
              annotations: {note: "token JWT"}
            spec: {accessModes: [ReadWriteOnce], storageClassName: "", resources: {requests: {storage: 1Ti}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: web, namespace: default, annotations: {vault/token: planted-hunter2}}
            spec:
              containers:
              - name: main
                image: none
                args: ["--password=planted-hunter2"]
                env: [{name: TOKEN, value: planted-hunter2}]
              volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
            ---
            apiVersion: storage.k8s.io/v1
            kind: VolumeAttachment
            metadata: {name: va}
            spec: {attacher: csi.example.com, nodeName: here, source: {persistentVolumeName: disk}}
            status: {attached: true, attachmentMetadata: {session: planted-hunter2}}
            ---
            apiVersion: v1
            kind: Event
            metadata: {name: e1, namespace: default}
            involvedObject: {kind: Pod, namespace: default, name: web}
            type: Warning
            reason: FailedMount
            message: "mount of https://user:planted-hunter2@nfs.example.com failed: Authorization: Bearer planted-hunter2, password=planted-hunter2 JWT"
            """.replace("BASE64", base64()).replace("JWT", JWT);

    @TempDir
    private Path directory = Path.of("");

    private static String base64() {
        return Base64.getEncoder().encodeToString(PLANTED.getBytes(StandardCharsets.UTF_8));
    }

    private static void fill(MemoryClusterStore store) {
        store.createDocument(Kinds.NAMESPACE, Document.of(Map.of("metadata", Map.of("name", "default"))));
        for (Document document : KubernetesYaml.standard().readAll(OBJECTS, "objects")) {
            var kind = Kinds.standard()
                    .byName(
                            document.text("apiVersion").orElseThrow(),
                            document.text("kind").orElseThrow())
                    .orElseThrow();
            store.createDocument(kind, document).orThrow();
        }
    }

    private Map<String, String> bundle(SupportBundle bundle) throws IOException {
        Path file = directory.resolve("bundle.tar.gz");
        bundle.write(file, "top");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Map<String, String> texts = new LinkedHashMap<>();
        try (InputStream in = Files.newInputStream(file);
                TarArchiveInputStream tar = new TarArchiveInputStream(new GzipCompressorInputStream(in))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                texts.put(entry.getName(), new String(tar.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return texts;
    }

    @Test
    void noSecretIsInItAndWhatHelpsIs() throws IOException {
        SupportBundle bundle = new SupportBundle();
        try (MemoryClusterStore store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))))) {
            fill(store);
            bundle.addCluster(store, List.of(), Instant.EPOCH);
        }
        bundle.add("node/mounts.txt", () -> "//nas/x /mnt cifs rw,username=u,password=" + PLANTED + ",vers=3\n");
        bundle.add("process/metrics.txt", () -> "things_total{url=\"https://a:" + PLANTED + "@b\"} 1\n");
        bundle.add("gone.txt", () -> {
            throw new IOException("cannot read https://a:" + PLANTED + "@b");
        });
        Map<String, String> texts = bundle(bundle);

        assertThat(texts)
                .allSatisfy((name, text) -> assertThat(text).as(name).doesNotContain("planted", base64(), JWT, "eyJ"));
        assertThat(texts.get("top/objects/secrets.json")).contains("\"chap\"", "node.session.auth.password");
        assertThat(texts.get("top/objects/configmaps.json")).contains("settings", "db.properties");
        assertThat(texts.get("top/objects/persistentvolumes.json"))
                .contains("vol-1", "nfs.example.com", "vers=4.1", "iqn.2001-04.com.example:disk", "\"admin\"")
                .contains("pv.kubernetes.io/provisioned-by", "csi.example.com");
        assertThat(texts.get("top/objects/storageclasses.json"))
                .contains("csi.storage.k8s.io/provisioner-secret-name", "chap");
        assertThat(texts.get("top/objects/events.json")).contains("FailedMount", "nfs.example.com");
        assertThat(texts.get("top/explanations.txt")).contains("default/data");
        assertThat(texts.get("top/node/mounts.txt")).contains("//nas/x /mnt cifs", "vers=3");
        assertThat(texts.get("top/missing.txt")).startsWith("gone.txt: cannot read");
    }

    @Test
    void aFileThatIsThereIsNotOverwritten() throws IOException {
        Path file = Files.writeString(directory.resolve("bundle.tar.gz"), "mine");
        assertThatThrownBy(() -> new SupportBundle().write(file, "top")).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("mine");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://user:planted-x@host/path",
                "postgres://planted-x@host",
                "password=planted-x",
                "\"password\": \"planted-x\"",
                "\"password\": \"planted one planted two\"",
                "\"password\": \"planted \\\" planted two\"",
                "{\\\"password\\\": \\\"planted one planted two\\\"}",
                "passphrase='planted one, planted two'",
                "token: \"planted, which never ends",
                "https://u:pa@planted@host/path",
                "passwd: planted-x",
                "TOKEN=planted-x;",
                "Authorization: Bearer planted-x-long-enough",
                "authorization: basic planted-x",
                "-----BEGIN RSA PRIVATE KEY-----\nplanted-x\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nplanted-x and it never ends",
                "access-key = 'planted-x'",
                "mount -o username=u,secret=planted-x,rw",
                "mount.cifs //server/share -o user=u,pass=planted-x,rw"
            })
    void whatLooksLikeASecretIsTakenOutOfTexts(String text) {
        assertThat(Redaction.of("before " + text + " after"))
                .doesNotContain("planted")
                .startsWith("before ");
    }

    @Test
    void whatFollowsAQuotedSecretIsShown() {
        assertThat(Redaction.of("{\"password\": \"a b\", \"server\": \"nfs\", \"token\": \"\", \"share\": \"x y\"}"))
                .isEqualTo("{\"password\": \"" + Redaction.REMOVED
                        + "\", \"server\": \"nfs\", \"token\": \"\", \"share\": \"x y\"}");
    }

    @Test
    void anAnnotationThatIsNamedAsASecretIsTakenOutWhateverItsPrefix() {
        Document shown = Redaction.of(Document.of(Map.of(
                "metadata",
                Map.of(
                        "annotations",
                        Map.of(
                                "mooring.dev/chap-password", "planted-x",
                                "volume.kubernetes.io/api-token", "planted-x",
                                "mooring.dev/iscsi-discovery", "static")))));
        assertThat(shown.toString()).doesNotContain("planted").contains("chap-password", "static");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MountVolume.SetUp failed for volume \"disk\": mount.nfs: access denied by server",
                "secret \"chap\" not found",
                "iqn.2001-04.com.example:disk at 10.0.0.1:3260",
                "https://nfs.example.com:2049/export"
            })
    void whatHelpsStays(String text) {
        assertThat(Redaction.of(text)).isEqualTo(text);
    }

    @Test
    void aPageShowsWhatIsThereAsTextAlone(@TempDir Path directory) throws IOException {
        SupportBundle bundle = new SupportBundle();
        bundle.add("log.txt", () -> "a volume named <script>alert(1)</script> & password=planted-hunter2\n");
        bundle.add("gone.txt", () -> {
            throw new IOException("nothing there");
        });
        Path file = directory.resolve("bundle.html");

        assertThat(bundle.write(file, "a \"bundle\"")).containsExactly("gone.txt: nothing there");

        String page = Files.readString(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(page)
                .contains(
                        "<title>a &quot;bundle&quot;</title>",
                        "&lt;script&gt;alert(1)&lt;/script&gt; &amp;",
                        "default-src 'none'")
                .doesNotContain("<script", PLANTED);
        assertThat(page.indexOf("missing.txt"))
                .as("what is missing comes first")
                .isLessThan(page.indexOf("log.txt"));
    }
}
