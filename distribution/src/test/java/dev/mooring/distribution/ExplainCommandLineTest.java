// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code mooring explain} answers about dumps: output, errors, exit status. */
class ExplainCommandLineTest extends CommandLineRun {
    private static final String DUMP = """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: v1
              kind: PersistentVolumeClaim
              metadata: {name: data, namespace: shop, creationTimestamp: "2000-01-01T00:00:00Z"}
              spec: {accessModes: [ReadWriteOnce], storageClassName: "", resources: {requests: {storage: 2Gi}}}
              status: {phase: Pending}
            - apiVersion: v1
              kind: PersistentVolume
              metadata: {name: small}
              spec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, nfs: {server: a, path: /}}
              status: {phase: Available}
            """;

    private static final String POD = """
            - apiVersion: v1
              kind: Pod
              metadata: {name: web, namespace: shop, creationTimestamp: "2000-01-01T00:00:10Z"}
              spec:
                containers: [{name: main, image: app}]
                volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
              status: {phase: Pending}
            """;

    private String dump(String text) throws IOException {
        return Files.writeString(directory.resolve("dump.yaml"), text).toString();
    }

    @Test
    void explainsAClaimInWords() throws IOException {
        assertThat(run("explain", "pvc/data", "-n", "shop", "-f", dump(DUMP), "--at", "2000-01-01T00:30:00Z"))
                .isZero();
        assertThat(out.toString())
                .startsWith(
                        "PersistentVolumeClaim shop/data is Pending: Volume small would fit, but is 1Gi short: it has 1Gi"
                                + " and the claim requests 2Gi.\n")
                .doesNotContain("Rule U8", "Nearest:")
                .contains("since 2000-01-01T00:00:00Z (30 min)");
        assertThat(err.toString()).isEmpty();
    }

    private static final String MADE_AGAIN = """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: v1
              kind: PersistentVolume
              metadata: {name: disk, uid: 00000000-0000-4000-8000-0000000000aa}
              spec:
                capacity: {storage: 2Gi}
                accessModes: [ReadWriteOnce]
                storageClassName: man
                persistentVolumeReclaimPolicy: Retain
                nfs: {server: s, path: /k}
                claimRef: {namespace: shop, name: data, uid: 00000000-0000-4000-8000-000000000001}
              status: {phase: Released}
            - apiVersion: v1
              kind: PersistentVolumeClaim
              metadata: {name: data, namespace: shop, uid: 00000000-0000-4000-8000-000000000002}
              spec: {accessModes: [ReadWriteOnce], storageClassName: man, resources: {requests: {storage: 1Gi}}}
              status: {phase: Pending}
            - apiVersion: v1
              kind: PersistentVolumeClaim
              metadata: {name: stranger, namespace: other, uid: 00000000-0000-4000-8000-000000000003}
              spec: {accessModes: [ReadWriteOnce], storageClassName: man, resources: {requests: {storage: 2Gi}}}
              status: {phase: Pending}
            - apiVersion: storage.k8s.io/v1
              kind: StorageClass
              metadata: {name: man}
              provisioner: kubernetes.io/no-provisioner
              volumeBindingMode: Immediate
            """;

    /** The commonest trouble of all: a claim was deleted and made again, and its data is on a volume that is Released. */
    @Test
    void atATerminalTheAnswerAndTheHeadingsAreBold() {
        assertThat(ExplainCommand.emphasized("""
                        PersistentVolumeClaim a/b is Pending: no class: x
                          detail:
                        What would help:
                          this
                        """)).isEqualTo("""
                        \u001b[1mPersistentVolumeClaim a/b is Pending: no class: x\u001b[0m
                          detail:
                        \u001b[1mWhat would help:\u001b[0m
                          this
                        """);
    }

    @Test
    void whatIsAdvisedToAClaimThatWasMadeAgainKeepsItsData() throws IOException {
        for (String subject : List.of("pvc/data", "pv/disk")) {
            out.getBuffer().setLength(0);
            assertThat(run("explain", subject, "-n", "shop", "-f", dump(MADE_AGAIN)))
                    .isZero();
            assertThat(out.toString())
                    .containsSubsequence("mooring adopt pv/disk", "mooring release pv/disk --rebind")
                    .doesNotContain("--discard", "\"claimRef\":null", "kubectl delete");
        }
    }

    @Test
    void whoWouldGetTheDataIsNamedWhereItIsGivenAway() throws IOException {
        String gone = MADE_AGAIN.replace("name: data, namespace: shop", "name: last, namespace: shop");
        assertThat(run("explain", "pv/disk", "-f", dump(gone))).isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        "mooring release pv/disk --rebind",
                        "Claim other/stranger waits and gets it",
                        "mooring release pv/disk --discard");
    }

    @Test
    void explainsForPrograms() throws IOException {
        assertThat(run("explain", "pvc/data", "-n", "shop", "-f", dump(DUMP), "-o", "json"))
                .isZero();
        Document document = KubernetesJson.standard().read(out.toString(), "output");
        assertThat(document.text("rule", "id")).contains("U8");
        assertThat(document.at("causes").map(Object::toString).orElse("")).contains("code=TOO_SMALL");
    }

    @Test
    void addsTheDetailsWhenAsked() throws IOException {
        assertThat(run("explain", "pvc/shop/data", "-v", "-f", dump(DUMP))).isZero();
        assertThat(out.toString())
                .containsSubsequence("What would help:", "Rule U8, ", "Of 1 volume:", "1 too small (F4)", "Nearest:");
    }

    @Test
    void explainsAPodByItsClaim() throws IOException {
        assertThat(run("explain", "pod/web", "-n", "shop", "-f", dump(DUMP + POD), "--at", "2000-01-01T00:30:00Z"))
                .isZero();
        assertThat(out.toString())
                .startsWith(
                        "Pod shop/web is Pending: Volume data needs claim shop/data, which is Pending: Volume small would"
                                + " fit, but is 1Gi short: it has 1Gi and the claim requests 2Gi.\n");
    }

    @Test
    void listsAllThatWaitsTheOldestFirst() throws IOException {
        assertThat(run("explain", "-A", "-f", dump(DUMP + POD), "--at", "2000-01-01T00:30:00Z"))
                .isZero();
        assertThat(out.toString().lines())
                .hasSize(2)
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("30 min   pvc/shop/data: Volume small would fit"),
                        line -> assertThat(line).startsWith("30 min   pod/shop/web: Volume data needs claim"));
        out.getBuffer().setLength(0);
        assertThat(run("explain", "-A", "-n", "other", "-f", dump(DUMP + POD))).isZero();
        assertThat(out.toString()).isEqualTo("Nothing waits.\n");
        out.getBuffer().setLength(0);
        assertThat(run("explain", "-A", "-f", dump(DUMP + POD), "-o", "json")).isZero();
        assertThat(KubernetesJson.standard().read(out.toString(), "output").objects("items"))
                .hasSize(2);
        assertThat(run("explain", "-A", "pod/web", "-f", dump(DUMP))).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "pv/smal, did you mean small? There are: small",
        "pvc/date, did you mean data? There are: data",
        "pvc/dates/data, 'but one in namespace shop'"
    })
    void saysWhatMayBeMeant(String subject, String told) throws IOException {
        assertThat(run("explain", subject, "-n", "shop", "-f", dump(DUMP))).isEqualTo(1);
        assertThat(err.toString()).contains(told);
    }

    @Test
    void explainsAVolume() throws IOException {
        assertThat(run("explain", "pv/small", "-f", dump(DUMP))).isZero();
        assertThat(out.toString()).contains("The volume is free");
    }

    @Test
    void saysThatTheDumpDoesNotHaveIt() throws IOException {
        assertThat(run("explain", "pvc/data", "-f", dump(DUMP))).isEqualTo(1);
        assertThat(err.toString()).contains("the dump has no pvc/data in namespace default, but one in namespace shop");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void refusesWhatItCannotExplain() throws IOException {
        assertThat(run("explain", "secret/web", "-f", dump(DUMP))).isEqualTo(2);
        assertThat(err.toString()).contains("or --all, not 'secret/web'");
    }

    @Test
    void refusesWhatItCannotExplainBeforeItLooksForACluster() {
        for (String subject : List.of("data", "pvc/", "secret/web", "pv/shop/data", "")) {
            err.getBuffer().setLength(0);
            assertThat(run(
                            "explain",
                            subject,
                            "--kubeconfig",
                            directory.resolve("none").toString()))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("or --all, not '" + subject + "'");
        }
    }

    @Test
    void namesTheObjectAndTheFieldThatCannotBeUnderstood() throws IOException {
        String broken = DUMP.replace("storage: 1Gi", "storage: 1GiB");
        assertThat(run("explain", "pvc/data", "-f", dump(broken))).isEqualTo(2);
        assertThat(err.toString())
                .contains("PersistentVolume small: spec.capacity")
                .contains("1GiB");
    }

    @Test
    void namesTheFileThatCannotBeRead() {
        assertThat(run(
                        "explain",
                        "pvc/data",
                        "-f",
                        directory.resolve("none.yaml").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("cannot read the dump").contains("none.yaml");
    }

    @Test
    void saysWhatIsWrongWithAFileThatIsNoDump() {
        assertThat(run("explain", "pvc/data", "-f", directory.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("mooring: cannot read the dump: " + directory + " is a directory");
    }

    @Test
    void aDumpAndAClusterAreNotAskedBoth() throws IOException {
        String dump = Files.createFile(directory.resolve("dump.yaml")).toString();
        assertThat(run("explain", "pvc/data", "-f", dump, "--kubeconfig", dump)).isEqualTo(2);
        assertThat(err.toString()).contains("--file is a dump and --kubeconfig a cluster: name one of them");
    }

    @Test
    void aTimeThatIsNoneIsToldByItsForm() throws IOException {
        assertThat(run("explain", "pvc/data", "-f", dump(DUMP), "--at", "yesterday"))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .first()
                .asString()
                .contains("'--at'", "must be a time such as 2000-01-01T00:00:00Z, not 'yesterday'")
                .doesNotContain("java");
    }

    /** Each example of the page is a command and what it prints. */
    @Test
    void thePageShowsWhatExplainPrints() {
        String page = Reactor.read(Reactor.ROOT.resolve("docs/operate/explain.md"));
        List<String> examples = Pattern.compile("(?m)^```\n\\$ \\./mooring ([^`]*?)^```$")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(examples).hasSizeGreaterThanOrEqualTo(5);
        for (String example : examples) {
            String command = example.lines().findFirst().orElseThrow();
            out.getBuffer().setLength(0);
            String[] words =
                    command.replace("docs/", Reactor.ROOT.resolve("docs") + "/").split(" ");
            assertThat(run(words)).as(command).isZero();
            assertThat(out.toString()).as(command).isEqualTo(example.substring(command.length() + 1));
        }
    }

    @Test
    void theWayThatLooksFirstIsSuggestedFirst() {
        Path pending = Reactor.ROOT.resolve("docs/examples/pending.yaml");
        assertThat(run("explain", "pv/old", "-f", pending.toString())).isZero();
        assertThat(out.toString())
                .containsSubsequence("mooring release pv/old --discard", "kubectl patch pv old --type merge");
    }
}
