// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.contract.TypeSweep;
import dev.mooring.clusterstore.contract.TypeSweep.Wrong;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.kubernetes.cluster.ApiClient;
import dev.mooring.kubernetes.cluster.OpenApiTypes;
import dev.mooring.kubernetes.cluster.RealCluster;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.model.Kind;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The schema by which objects are decoded is that of a real API server, and refuses what that refuses. */
@Tag("cluster")
class ServerTypesTest {
    private static final Path FILE = Path.of(System.getProperty("mooring.root", ".."))
            .resolve("cluster-store/src/main/resources/dev/mooring/clusterstore/schema/kubernetes-1.20.types");
    /** What is read of bodies, beside the kinds that are stored. */
    private static final List<String> OTHERS = List.of(
            "events.v1.Event",
            "core.v1.Binding",
            "policy.v1beta1.Eviction",
            "authentication.v1.TokenRequest",
            "authentication.v1.TokenReview",
            "authorization.v1.SelfSubjectAccessReview",
            "authorization.v1.SelfSubjectRulesReview",
            "meta.v1.DeleteOptions");

    /** The server takes any value here and forgets it; stored, it would break the list of a typed client. */
    private static final String FORGOTTEN = "managedFields[].fieldsV1";

    private static final long SEED = 26;
    private static final int SAMPLE = Integer.getInteger("types.sample", 1_500);

    private static final ApiClient SERVER = RealCluster.shared().admin();
    private static final Collection<String> TYPES = OpenApiTypes.of(
            SERVER.ok("GET", "/openapi/v2", ""),
            Stream.concat(StoredKinds.withStandard().all().stream().map(ServerTypesTest::typeName), OTHERS.stream())
                    .toList());

    private static String typeName(Kind<?> kind) {
        String group = kind.group().isEmpty() ? "core" : kind.group().replaceFirst("\\..*", "");
        return group + "." + kind.version() + "." + kind.name();
    }

    @Test
    void theTypesAreThoseOfTheServer() throws IOException {
        List<String> kept = Files.readAllLines(FILE);
        List<String> comment =
                kept.stream().filter(line -> line.startsWith("#")).toList();
        List<String> wanted = Stream.concat(comment.stream(), TYPES.stream()).toList();
        if (Boolean.getBoolean("types.update")) {
            Files.write(FILE, wanted);
        }
        assertThat(Files.readAllLines(FILE))
                .as("to write it again: -Dtypes.update=true")
                .isEqualTo(wanted);
    }

    /** Where the server says 400, the schema finds a wrong value, and the other way round; the sample is by seed. */
    @Test
    void theServerRefusesTheSameValues() {
        List<Wrong> all = new ArrayList<>();
        StoredKinds.withStandard().all().stream()
                .filter(kind -> has(typeName(kind)))
                .forEach(kind -> all.addAll(TypeSweep.of(kind)));
        all.removeIf(each -> !isKnown(each));
        Collections.shuffle(all, new Random(SEED));
        List<String> differences = new ArrayList<>();
        all.stream()
                .limit(SAMPLE)
                .filter(each -> !each.path().endsWith(FORGOTTEN))
                .forEach(each -> {
                    HttpResponse<String> answer = SERVER.send(
                            "POST",
                            collection(each.kind()) + "?dryRun=All",
                            KubernetesJson.standard().write(each.object()));
                    boolean refused = answer.statusCode() == 400;
                    boolean wrong = !Schema.standard()
                            .decode(each.kind(), each.object())
                            .wrong()
                            .isEmpty();
                    if (refused != wrong) {
                        differences.add(each + ": " + answer.statusCode() + " " + answer.body());
                    }
                });
        assertThat(differences)
                .as("seed %s, %s of %s values", SEED, SAMPLE, all.size())
                .isEmpty();
    }

    private static boolean has(String type) {
        return TYPES.stream().anyMatch(line -> line.startsWith(type + " "));
    }

    /** Whether this server has the field: what it does not know it passes over. */
    private static boolean isKnown(Wrong each) {
        String type = typeName(each.kind());
        for (String step : each.path().split("[.]", -1)) {
            String field = step.replaceAll("(\\[]|\\{})*$", "");
            String of = type;
            String found = TYPES.stream()
                    .filter(line -> line.startsWith(of + " "))
                    .flatMap(line -> Stream.of(line.split(" ", -1)))
                    .filter(part -> part.startsWith(field + ":"))
                    .findFirst()
                    .orElse("");
            if (found.isEmpty()) {
                return false;
            }
            type = found.substring(field.length() + 1).replaceFirst("^(\\[[^]]*]|\\{})*", "");
        }
        return true;
    }

    private static String collection(Kind<?> kind) {
        String root = kind.group().isEmpty() ? "/api/" : "/apis/" + kind.group() + "/";
        return root + kind.version() + (kind.namespaced() ? "/namespaces/default/" : "/") + kind.plural();
    }
}
