// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.clusterstore.ApiStore;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryDocumentEngine;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.wiring.Awaiting;
import dev.mooring.distribution.wiring.LocalCluster;
import dev.mooring.distribution.wiring.LocalParts;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.DeleteOptions;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What users and plugins get wrong, against the real plugins on this machine: an event names the object, the field and the rule, nothing
 * is executed or mounted, and a pod beside it starts as if nothing were.
 */
class BadInputOnHostTest {
    private static final String NODE = "here";
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Set<String> MOUNTING = Set.of("bind", "mount");

    @TempDir
    private Path temp;

    private final List<String> executed = new CopyOnWriteArrayList<>();
    private final OddPlugin odd = new OddPlugin("odd");
    private DocumentStore store;
    private Awaiting awaiting;
    private LocalCluster cluster;

    @BeforeEach
    void starts() throws IOException {
        Path base = temp.toRealPath();
        for (String name : List.of("kubelet", "state", "data")) {
            Files.createDirectories(base.resolve(name));
        }
        store = new ApiStore(
                new MemoryDocumentEngine(10_000),
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));
        awaiting = new Awaiting(store, PATIENCE);
        LinuxHost host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                        base.resolve("state"), base.resolve("orphans"), KeptPlaces.in(base.resolve("places"))))
                .orElseThrow();
        List<StoragePlugin> plugins = new ArrayList<>(installed());
        plugins.add(odd);
        HostServices watched = watched(HostServices.class, host);
        cluster = LocalCluster.start(LocalParts.of(store, watched, plugins, NODE, base.resolve("kubelet"))
                .withEvents(new StoreEventSink(store, TimeSource.system())));
    }

    @AfterEach
    void stops() {
        odd.released.countDown();
        cluster.close();
        store.close();
    }

    private static List<StoragePlugin> installed() {
        return ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(plugin -> plugin.describe().name()))
                .toList();
    }

    /** Notes every command and mount, and lets none of them happen. */
    private <T> T watched(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            boolean command = given != null && Arrays.stream(given).anyMatch(Command.class::isInstance);
            if (command || (type.getSimpleName().equals("Mounts") && MOUNTING.contains(method.getName()))) {
                executed.add(method.getName() + " " + Arrays.toString(given));
                throw new IllegalStateException("nothing is executed here");
            }
            Object answer;
            try {
                answer = method.invoke(real, given);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            boolean service =
                    type == HostServices.class && method.getReturnType().isInterface();
            return service ? any(method.getReturnType(), answer) : answer;
        }));
    }

    private <T> Object any(Class<T> type, Object real) {
        return watched(type, type.cast(real));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "unknown source | {vsphereVolume: {volumePath: '[x] y'}} | no volume plugin matched source vsphereVolume",
                "negative LUN | {iscsi: {targetPortal: '10.0.0.1:3260', iqn: 'iqn.2026-01.com.example:x', lun: -1}} | spec.iscsi.lun: must",
                "LUN beyond all | {iscsi: {targetPortal: '10.0.0.1:3260', iqn: 'iqn.2026-01.com.example:x', lun: 99999999}} | spec.iscsi.lun: must",
                "IQN with shell characters | {iscsi: {targetPortal: '10.0.0.1:3260', iqn: 'iqn.2026-01.com.example:$(touch /tmp/x);reboot', lun: 0}} | spec.iscsi.iqn: must be a name of iSCSI",
                "IQN that is an option | {iscsi: {targetPortal: '10.0.0.1:3260', iqn: '--op=delete', lun: 0}} | spec.iscsi.iqn: must be a name of iSCSI",
                "IQN that is a path | {iscsi: {targetPortal: '10.0.0.1:3260', iqn: 'iqn.2026-01.com.example:../../etc', lun: 0}} | spec.iscsi.iqn: must be a name of iSCSI",
                "portal with shell characters | {iscsi: {targetPortal: '10.0.0.1:3260;reboot', iqn: 'iqn.2026-01.com.example:x', lun: 0}} | spec.iscsi.targetPortal: must be a host name or an address",
                "file system type with shell characters | {iscsi: {targetPortal: '10.0.0.1:3260', iqn: 'iqn.2026-01.com.example:x', lun: 0, fsType: 'ext4;reboot'}} | spec.iscsi.fsType: must be the name of a file system type",
                "interface that is a path | {iscsi: {targetPortal: '10.0.0.1:3260', iqn: 'iqn.2026-01.com.example:x', lun: 0, iscsiInterface: '../x y'}} | spec.iscsi.iscsiInterface: must be the name of an interface record",
                "export path with newline | {nfs: {server: 127.0.0.1, path: \"/a\\nb\"}} | spec.nfs.path: must not contain control characters or commas",
                "export path with .. | {nfs: {server: 127.0.0.1, path: '/exports/../etc'}} | spec.nfs.path: must not contain '..'",
                "export path that is relative | {nfs: {server: 127.0.0.1, path: 'exports'}} | spec.nfs.path: must",
                "server that is an option | {nfs: {server: '-o', path: '/exports'}} | spec.nfs.server: must be a host name or an IP address",
                "server with a path | {nfs: {server: 'a:/b c', path: '/exports'}} | spec.nfs.server: must be a host name or an IP address",
                "mount option of several | {nfs: {server: 127.0.0.1, path: '/exports'}, mountOptions: ['ro,exec,addr=10.0.0.9']} | mount option 'ro,exec,addr=10.0.0.9' holds a comma",
                "mount option with newline | {nfs: {server: 127.0.0.1, path: '/exports'}, mountOptions: [\"ro\\nsuid\"]} | holds a comma or a control character",
                "host path with .. | {hostPath: {path: '/tmp/../etc'}} | spec.hostPath.path: must not contain '..'",
                "host path of an unknown type | {hostPath: {path: '/tmp', type: 'Folder'}} | spec.hostPath.type: must",
                "local path with .. | {local: {path: '/tmp/../etc'}} | spec.local.path: must not contain '..'",
                "plugin that throws | {odd: {how: throws}} | plugin example.com/odd failed: java.lang.IllegalStateException",
                "plugin that overflows | {odd: {how: overflows}} | plugin example.com/odd failed: java.lang.StackOverflowError",
                "plugin that answers null | {odd: {how: answers-null}} | plugin example.com/odd answered null",
                "plugin that attaches to null | {odd: {how: attach-null}} | plugin example.com/odd answered null",
                "plugin that attaches to a device that is null | {odd: {how: attach-null-device}} | plugin example.com/odd answered with null for devicePath",
                "plugin that attaches to another's device | {odd: {how: attach-foreign}} | /dev/foreign is not the device of this volume",
                "plugin that attaches to no device | {odd: {how: attach-nothing}} | no device was told",
                "plugin that prepares to null | {odd: {how: stage-null}} | plugin example.com/odd answered null",
                "plugin that has prepared nothing | {odd: {how: stage-done-null}} | plugin example.com/odd failed: java.lang.NullPointerException",
                "plugin that throws when it validates | {odd: {how: validate-throws}} | spec.odd: plugin example.com/odd failed to validate it",
                "plugin that validates to null | {odd: {how: validate-null}} | spec.odd: plugin example.com/odd failed to validate it",
                "plugin that throws when it identifies | {odd: {how: identify-throws}} | spec.odd: plugin example.com/odd failed to identify it",
                "plugin that identifies to null | {odd: {how: identify-null}} | spec.odd: plugin example.com/odd failed to identify it",
            })
    void isToldAndHarmsNoOtherPod(String name, String source, String rule) {
        offer("bad", source);
        pod("bad", "persistentVolumeClaim: {claimName: bad}");
        Event told = told("bad");
        assertThat(told.message()).contains(rule);
        goodPodRuns();
        assertThat(executed).as("executed or mounted").isEmpty();
        assertThat(phase("bad")).isEqualTo(PodPhase.PENDING);
    }

    /** A space is no harm: the path is one word from the plugin to the kernel, and the event comes from the server that is not there. */
    @Test
    void exportPathWithSpaceIsOnePath() {
        offer("bad", "{nfs: {server: 127.0.0.1, path: '/a -o exec'}, mountOptions: [nfsvers=4.2]}");
        pod("bad", "persistentVolumeClaim: {claimName: bad}");
        assertThat(told("bad").message()).contains("server 127.0.0.1");
        goodPodRuns();
        assertThat(executed).as("executed or mounted").isEmpty();
    }

    /** It answers when its pod has gone long ago: what it did is undone. */
    @Test
    void pluginThatHangsHoldsUpOnlyItsPodAndALateAnswerIsUndone() throws InterruptedException {
        offer("bad", "{odd: {how: hangs}}");
        pod("bad", "persistentVolumeClaim: {claimName: bad}");
        odd.called.await();
        goodPodRuns();
        assertThat(phase("bad")).isEqualTo(PodPhase.PENDING);
        store.as("user")
                .deleteObject(Kinds.POD, ObjectKey.of("default", "bad"), DeleteOptions.DEFAULT)
                .orThrow();
        odd.released.countDown();
        awaiting.until(Kinds.POD, ObjectKey.of("default", "bad"), "the pod goes", Optional::isEmpty);
        assertThat(odd.unpublished).as("undone").hasValue(1);
    }

    @Test
    void twoPluginsForOneSourceDoNotStart() {
        List<StoragePlugin> plugins = new ArrayList<>(installed());
        plugins.add(new OddPlugin("nfs"));
        assertThatThrownBy(() -> new PluginRegistry(plugins))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'nfs'", "kubernetes.io/nfs", "example.com/odd", OddPlugin.class.getName());
    }

    private Event told(String pod) {
        return awaiting.untilAny(
                        Kinds.EVENT,
                        "an event about pod " + pod,
                        found -> found.type().equals("Warning")
                                && found.involvedObject().kind().equals("Pod")
                                && found.involvedObject().name().equals(pod))
                .orElseThrow();
    }

    private PodPhase phase(String pod) {
        return store.get(Kinds.POD, ObjectKey.of("default", pod))
                .orThrow()
                .status()
                .phase();
    }

    private void goodPodRuns() {
        pod("good", "emptyDir: {}");
        awaiting.until(
                Kinds.POD,
                ObjectKey.of("default", "good"),
                "the other pod runs",
                seen -> seen.filter(found -> found.status().phase() == PodPhase.RUNNING)
                        .isPresent());
    }

    /** A bound pair, put as it is: a server may have let in what this one would refuse. */
    private void offer(String name, String source) {
        String spec = source.substring(1, source.length() - 1);
        load("""
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: %1$s, uid: uid-of-volume},
                 spec: {capacity: {storage: 1Mi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Retain, %2$s,
                        claimRef: {kind: PersistentVolumeClaim, namespace: default, name: %1$s, uid: uid-of-claim},
                        nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [
                          {key: kubernetes.io/hostname, operator: In, values: [%3$s]}]}]}}},
                 status: {phase: Bound}}""".formatted(name, spec, NODE));
        load("""
                {apiVersion: v1, kind: PersistentVolumeClaim,
                 metadata: {name: %1$s, namespace: default, uid: uid-of-claim, annotations: {pv.kubernetes.io/bind-completed: "yes"}},
                 spec: {storageClassName: "", volumeName: %1$s, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}},
                 status: {phase: Bound, accessModes: [ReadWriteOnce], capacity: {storage: 1Mi}}}""".formatted(name));
    }

    private void load(String yaml) {
        for (Document document : KubernetesYaml.standard().readAll(yaml, "test")) {
            Kind<?> kind = Kinds.standard()
                    .byKindName(document.text("kind").orElse(""))
                    .orElseThrow();
            store.as("user").loadDocument(kind, document).orThrow();
        }
    }

    private void create(String yaml) {
        for (Document document : KubernetesYaml.standard().readAll(yaml, "test")) {
            Kind<?> kind = Kinds.standard()
                    .byKindName(document.text("kind").orElse(""))
                    .orElseThrow();
            store.as("user").createDocument(kind, document).orThrow();
        }
    }

    private void pod(String name, String volume) {
        create("""
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default},
                 spec: {nodeName: %s, volumes: [{name: data, %s}],
                        containers: [{name: main, image: none, volumeMounts: [{name: data, mountPath: /data}]}]}}""".formatted(name, NODE, volume));
    }
}
