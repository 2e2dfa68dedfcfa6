// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import static dev.mooring.clusterstore.fieldmanagement.Managers.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes of steps by several managers: the object, its managers, the conflicts. */
class FieldManagementTest {
    /**
     * Steps are separated by semicolons: {@code apply one {…}}, {@code force one {…}}, {@code update one {…}}; an update says what the
     * object is afterwards. The name is added.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "who creates by apply manages what it applies | apply one {'data':{'k':'1'}}"
                        + " | {'data':{'k':'1'}} | one Apply [.data.k] | ",
                "who creates otherwise manages containers too | update one {'data':{'k':'1'}}"
                        + " | {'data':{'k':'1'}} | one Update [.data, .data.k] | ",
                "two may apply the same value | apply one {'data':{'k':'1'}}; apply two {'data':{'k':'1'}}"
                        + " | {'data':{'k':'1'}} | one Apply [.data.k]; two Apply [.data.k] | ",
                "another value is a conflict | apply one {'data':{'k':'1'}}; apply two {'data':{'k':'2'}}"
                        + " | {'data':{'k':'1'}} | one Apply [.data.k]"
                        + " | Apply failed with 1 conflict: conflict with \"one\": .data.k",
                "an updater is named with the version | update one {'data':{'k':'1'}}; apply two {'data':{'k':'2'}}"
                        + " | {'data':{'k':'1'}} | one Update [.data, .data.k]"
                        + " | Apply failed with 1 conflict: conflict with \"one\" using v1: .data.k",
                "conflicts are listed by manager | apply one {'data':{'k':'1','l':'1'}};"
                        + " update two {'data':{'k':'1','l':'2'}}; apply three {'data':{'k':'3','l':'3'}}"
                        + " | {'data':{'k':'1','l':'2'}} | one Apply [.data.k]; two Update [.data.l]"
                        + " | Apply failed with 2 conflicts: conflicts with \"one\":~- .data.k~conflicts with \"two\" using v1:~- .data.l",
                "force takes over | apply one {'data':{'k':'1','l':'1'}}; force two {'data':{'k':'2'}}"
                        + " | {'data':{'k':'2','l':'1'}} | one Apply [.data.l]; two Apply [.data.k] | ",
                "an update takes over and needs no force | apply one {'data':{'k':'1'}}; update two {'data':{'k':'2'}}"
                        + " | {'data':{'k':'2'}} | two Update [.data.k] | ",
                "what its only manager no longer applies is removed |"
                        + " apply one {'data':{'k':'1','l':'1'}}; apply one {'data':{'k':'1'}}"
                        + " | {'data':{'k':'1'}} | one Apply [.data.k] | ",
                "what another applies too stays |"
                        + " apply one {'data':{'k':'1','l':'1'}}; apply two {'data':{'l':'1'}}; apply one {'data':{'k':'1'}}"
                        + " | {'data':{'k':'1','l':'1'}} | one Apply [.data.k]; two Apply [.data.l] | ",
                "what an updater took over stays | apply one {'data':{'k':'1','l':'1'}};"
                        + " update two {'data':{'k':'1','l':'2'}}; apply one {'data':{'k':'1'}}"
                        + " | {'data':{'k':'1','l':'2'}} | one Apply [.data.k]; two Update [.data.l] | ",
                "an object goes with its last field |" + " apply one {'data':{'k':'1'}}; apply one {}" + " | {} | | ",
                "who removes by an update manages nothing of it | apply one {'data':{'k':'1','l':'1'}};"
                        + " update two {'data':{'l':'1'}} | {'data':{'l':'1'}} | one Apply [.data.l] | ",
                "one name has two entries | update one {'data':{'k':'1'}}; apply one {'data':{'l':'1'}}"
                        + " | {'data':{'k':'1','l':'1'}} | one Apply [.data.l]; one Update [.data, .data.k] | ",
                "values of a set have managers | apply one {'metadata':{'finalizers':['x/a']}};"
                        + " apply two {'metadata':{'finalizers':['x/b']}}; apply one {}"
                        + " | {'metadata':{'finalizers':['x/b']}} | two Apply [.metadata.finalizers[=\"x/b\"]] | ",
            })
    void stepsEndAs(String what, String steps, String object, @Nullable String managers, @Nullable String refusal) {
        check(Kinds.CONFIG_MAP, steps, object, managers, refusal);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "elements with keys are merged | apply one {'spec':{'containers':[{'name':'a','image':'1'}]}};"
                        + " apply two {'spec':{'containers':[{'name':'b','image':'2'}]}}"
                        + " | {'spec':{'containers':[{'name':'a','image':'1'},{'name':'b','image':'2'}]}}"
                        + " | one Apply [.spec.containers[name=\"a\"], .spec.containers[name=\"a\"].image, .spec.containers[name=\"a\"].name];"
                        + " two Apply [.spec.containers[name=\"b\"], .spec.containers[name=\"b\"].image, .spec.containers[name=\"b\"].name] | ",
                "what is applied keeps its order | apply one {'spec':{'containers':[{'name':'a'},{'name':'b'},{'name':'c'}]}};"
                        + " apply one {'spec':{'containers':[{'name':'c'},{'name':'b'},{'name':'a'}]}}"
                        + " | {'spec':{'containers':[{'name':'c'},{'name':'b'},{'name':'a'}]}}"
                        + " | one Apply [.spec.containers[name=\"a\"], .spec.containers[name=\"b\"], .spec.containers[name=\"c\"],"
                        + " .spec.containers[name=\"a\"].name, .spec.containers[name=\"b\"].name, .spec.containers[name=\"c\"].name] | ",
                "a port is known by its protocol too, which may be left out |"
                        + " apply one {'spec':{'containers':[{'name':'a','ports':[{'containerPort':1}]}]}};"
                        + " apply two {'spec':{'containers':[{'name':'a','ports':[{'containerPort':1,'protocol':'UDP'}]}]}}"
                        + " | {'spec':{'containers':[{'name':'a','ports':[{'containerPort':1},{'containerPort':1,'protocol':'UDP'}]}]}}"
                        + " | one Apply [.spec.containers[name=\"a\"], .spec.containers[name=\"a\"].name,"
                        + " .spec.containers[name=\"a\"].ports[containerPort=1,protocol=\"TCP\"],"
                        + " .spec.containers[name=\"a\"].ports[containerPort=1,protocol=\"TCP\"].containerPort];"
                        + " two Apply [.spec.containers[name=\"a\"], .spec.containers[name=\"a\"].name,"
                        + " .spec.containers[name=\"a\"].ports[containerPort=1,protocol=\"UDP\"],"
                        + " .spec.containers[name=\"a\"].ports[containerPort=1,protocol=\"UDP\"].containerPort,"
                        + " .spec.containers[name=\"a\"].ports[containerPort=1,protocol=\"UDP\"].protocol] | ",
                "a list without keys has one manager | apply one {'spec':{'tolerations':[{'key':'a'}]}};"
                        + " apply two {'spec':{'tolerations':[{'key':'b'}]}}"
                        + " | {'spec':{'tolerations':[{'key':'a'}]}} | one Apply [.spec.tolerations]"
                        + " | Apply failed with 1 conflict: conflict with \"one\": .spec.tolerations",
                "an atomic object has one manager | apply one {'spec':{'topologySpreadConstraints':[{'topologyKey':'z',"
                        + "'whenUnsatisfiable':'x','labelSelector':{'matchLabels':{'a':'b'}}}]}}"
                        + " | {'spec':{'topologySpreadConstraints':[{'topologyKey':'z',"
                        + "'whenUnsatisfiable':'x','labelSelector':{'matchLabels':{'a':'b'}}}]}}"
                        + " | one Apply [.spec.topologySpreadConstraints[topologyKey=\"z\",whenUnsatisfiable=\"x\"],"
                        + " .spec.topologySpreadConstraints[topologyKey=\"z\",whenUnsatisfiable=\"x\"].labelSelector,"
                        + " .spec.topologySpreadConstraints[topologyKey=\"z\",whenUnsatisfiable=\"x\"].topologyKey,"
                        + " .spec.topologySpreadConstraints[topologyKey=\"z\",whenUnsatisfiable=\"x\"].whenUnsatisfiable] | ",
                "the status is not what a write of the object reaches | update one {'spec':{'nodeName':'n'},'status':{'phase':'x'}}"
                        + " | {'spec':{'nodeName':'n'},'status':{'phase':'x'}} | one Update [.spec.nodeName] | ",
            })
    void stepsWithListsEndAs(
            String what, String steps, String object, @Nullable String managers, @Nullable String refusal) {
        check(Kinds.POD, steps, object, managers, refusal);
    }

    private static void check(
            Kind<?> kind, String steps, String object, @Nullable String managers, @Nullable String refusal) {
        Managers played = new Managers(kind);
        String refused = "";
        for (String step : steps.split(";(?= ?(?:apply|force|update))", -1)) {
            String[] parts = step.strip().split(" ", 3);
            Document fields = named(kind, json(parts[2]));
            if (parts[0].equals("update")) {
                Document known = played.object();
                played.update(
                        parts[1],
                        "",
                        known.at("metadata", "managedFields")
                                .map(entries -> fields.with(entries, "metadata", "managedFields"))
                                .orElse(fields));
            } else {
                Applied applied = played.apply(parts[1], "", parts[0].equals("force"), fields);
                refused = applied.conflicts().isEmpty() ? "" : applied.refusal().replace('\n', '~');
            }
        }
        assertThat(played.bare()).isEqualTo(named(kind, json(object)));
        assertThat(played.shown().entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining("; ")))
                .isEqualTo(managers == null ? "" : managers);
        assertThat(refused).isEqualTo(refusal == null ? "" : refusal);
    }

    private static Document named(Kind<?> kind, Document fields) {
        return fields.with(kind.apiVersion(), "apiVersion")
                .with(kind.name(), "kind")
                .with("m", "metadata", "name");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":\"a\"}",
                "{\"a\\\"b\":\"x\"}",
                "{\"n\":\"\u00e9 \\\\ \\\" /\"}",
                "{\"a\":\"b\",\"c\":1}",
                "{\"\u00fc\":true}"
            })
    void anElementsKeysAreWrittenAsTheyWereRead(String keys) {
        Map<String, Object> fields = Map.of("k:" + keys, Map.of());
        assertThat(FieldsV1.encode(FieldsV1.decode(fields))).isEqualTo(fields);
    }

    @Test
    void whoIsLeftWithAContainerAloneIsMeantToManageAllOfItAtTheNextWrite() {
        Managers played = new Managers(Kinds.CONFIG_MAP);
        played.update("one", "", named(Kinds.CONFIG_MAP, json("{'metadata':{'finalizers':['x/a']}}")));
        played.update("two", "", played.object().with(List.of("x/b"), "metadata", "finalizers"));
        assertThat(played.shown()).containsEntry("one Update", List.of(".metadata.finalizers"));
        played.update("two", "", played.object().with("1", "data", "k"));
        assertThat(played.shown())
                .containsEntry("one Update", List.of(".metadata.finalizers", ".metadata.finalizers[=\"x/b\"]"));
    }

    /** Seen at the API server of 1.20: what Kubernetes' types always write is there for it, too. */
    @Test
    void allOfAContainerIsAlsoWhatKubernetesAlwaysWrites() {
        Managers played = new Managers(Kinds.NODE);
        played.update("maker", "", named(Kinds.NODE, json("{'spec':{'providerID':'p'}}")));
        Object other = json("{'conditions':[{'type':'Other','status':'True'}]}").asMap();
        played.update("one", "status", played.object().with(other, "status"));
        Object ready = json("{'conditions':[{'type':'Ready','status':'True'}]}").asMap();
        played.update("two", "status", played.object().with(ready, "status"));
        assertThat(ofOne(played)).containsExactly(".status.conditions");
        played.update("two", "", played.object().with(true, "spec", "unschedulable"));
        assertThat(ofOne(played))
                .contains(
                        ".status.conditions[type=\"Ready\"].lastHeartbeatTime",
                        ".status.conditions[type=\"Ready\"].lastTransitionTime");
    }

    private static List<String> ofOne(Managers played) {
        return played.shown().entrySet().stream()
                .filter(each -> each.getKey().startsWith("one "))
                .flatMap(each -> each.getValue().stream())
                .toList();
    }
}
